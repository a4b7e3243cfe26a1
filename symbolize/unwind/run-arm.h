/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/run-arm.h: a caller by what ARM code would do next. */
#ifndef CP_SYMBOLIZE_UNWIND_RUN_ARM_H
#define CP_SYMBOLIZE_UNWIND_RUN_ARM_H

#include "symbolize/unwind/walk.h"

/*
 * The registers of the caller, by what the code would do yet, for any machine
 * that is known; false: that cannot be told.
 */
bool cp_walk_run(
    struct cp_unwind_walk *, const struct cp_regs *, struct cp_regs *out);

#endif
