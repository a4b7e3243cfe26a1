/* SPDX-License-Identifier: MIT */
/* base/sandbox/seccomp.h: makes system calls fail, by seccomp. */
#ifndef CP_BASE_SANDBOX_SECCOMP_H
#define CP_BASE_SANDBOX_SECCOMP_H

#include "base/base.h"

/* True: the limit is in force. */
bool cp_seccomp_enter(bool network, bool terminal);

#endif
