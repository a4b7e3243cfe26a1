/* SPDX-License-Identifier: MIT */
/* base/sandbox/seccomp.h: which system calls fail. */
#ifndef CP_BASE_SANDBOX_SECCOMP_H
#define CP_BASE_SANDBOX_SECCOMP_H

#include "base/base.h"

/* True: the wall stands. */
bool cp_seccomp_enter(bool network);

#endif
