/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/run-x86.h: finds a caller by following x86-64 code.
 */
#ifndef CP_SYMBOLIZE_UNWIND_RUN_X86_H
#define CP_SYMBOLIZE_UNWIND_RUN_X86_H

#include "symbolize/unwind/walk.h"

/* Finds the caller's registers.  False: no path found. */
bool cp_walk_run_x86(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

#endif
