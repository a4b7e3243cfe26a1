/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/run-arm.h: finds a caller by following code to its return.
 */
#ifndef CP_SYMBOLIZE_UNWIND_RUN_ARM_H
#define CP_SYMBOLIZE_UNWIND_RUN_ARM_H

#include "symbolize/unwind/walk.h"

/*
 * Finds the caller's registers by following the code, on ARM and x86-64.
 * False: no path found.
 */
bool cp_walk_run(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

#endif
