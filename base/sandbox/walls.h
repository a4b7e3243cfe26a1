/* SPDX-License-Identifier: MIT */
/* base/sandbox/walls.h: the two walls of which the kernel has one or both. */
#ifndef CP_BASE_SANDBOX_WALLS_H
#define CP_BASE_SANDBOX_WALLS_H

#include "base/base.h"

/* landlock.c: limits which files may be written, by Landlock. */

/* True: the limit is in force. */
bool cp_landlock_enter(const char *const *writable, size_t n);

/* seccomp.c: makes system calls fail, by seccomp. */

/* True: the limit is in force. */
bool cp_seccomp_enter(bool network, bool terminal);

#endif
