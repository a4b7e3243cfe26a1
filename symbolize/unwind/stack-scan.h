/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/stack-scan.h: searches a stack for return addresses.
 */
#ifndef CP_SYMBOLIZE_UNWIND_STACK_SCAN_H
#define CP_SYMBOLIZE_UNWIND_STACK_SCAN_H

#include "symbolize/unwind/walk.h"

/* True if pc is after a call, or if the code is not available. */
bool cp_walk_returns_to(struct cp_unwind_walk *, uint64_t pc);
/* Goes to the first word up the stack that looks like a return address. */
bool cp_walk_scan(struct cp_unwind_walk *);

#endif
