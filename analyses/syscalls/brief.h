/* SPDX-License-Identifier: MIT */
/* analyses/syscalls/brief.h: what `syscalls` tells the overview. */
#ifndef CP_ANALYSES_SYSCALLS_BRIEF_H
#define CP_ANALYSES_SYSCALLS_BRIEF_H

#include "analyses/summary/brief-part.h"

extern const struct cp_brief_part cp_syscalls_brief;

#endif
