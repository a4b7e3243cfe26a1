/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/syscall-names.h: names of Linux' system calls and of their
 * errors.
 */
#ifndef CP_ANALYSES_COMMON_SYSCALL_NAMES_H
#define CP_ANALYSES_COMMON_SYSCALL_NAMES_H

#include <coldperf/plugin.h>

/*
 * By the capture's machine ("arch" of its facts); NULL: a machine or number
 * that is not known.  narrow: of a 32-bit program, which has other numbers on
 * a 64-bit machine.
 */
const char *cp_syscall_name(
    const struct cp_run *, uint64_t number, bool narrow);
/* ENOENT ... of 1 ... 4095, also those that never leave the kernel; or NULL */
const char *cp_errno_name(uint64_t error);

#endif
