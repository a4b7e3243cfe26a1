/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/stack-scan.h: words of a stack that look like return
 * addresses. */
#ifndef CP_SYMBOLIZE_UNWIND_STACK_SCAN_H
#define CP_SYMBOLIZE_UNWIND_STACK_SCAN_H

#include "symbolize/unwind/walk.h"

/* Is that after a call?  What cannot be looked at is believed. */
bool cp_walk_returns_to(struct cp_unwind_walk *, uint64_t pc);
/* The first word up the stack that looks like one. */
bool cp_walk_scan(struct cp_unwind_walk *);

#endif
