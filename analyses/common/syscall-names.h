/* SPDX-License-Identifier: MIT */
/* analyses/common/syscall-names.h: names of Linux' system calls and errors. */
#ifndef CP_ANALYSES_COMMON_SYSCALL_NAMES_H
#define CP_ANALYSES_COMMON_SYSCALL_NAMES_H

#include <coldperf/plugin.h>

/*
 * Returns the name for the capture's machine ("arch" of its facts); NULL:
 * unknown machine or number.  narrow: the call of a 32-bit program, which has
 * other numbers.
 */
const char *cp_syscall_name(
    const struct cp_run *, uint64_t number, bool narrow);
/*
 * Returns ENOENT ... for 1 ... 4095, including errors that never leave the
 * kernel; or NULL.
 */
const char *cp_errno_name(uint64_t error);

#endif
