/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/step.h: steps from a frame's registers to its caller's.
 */
#ifndef CP_SYMBOLIZE_UNWIND_STEP_H
#define CP_SYMBOLIZE_UNWIND_STEP_H

#include "symbolize/unwind/walk.h"

/* Steps by a full rule.  *end: there is no caller. */
enum cp_eval cp_walk_step(struct cp_unwind_walk *, const struct cp_full_rule *,
    const struct cp_regs *, struct cp_regs *out, bool *end);

#endif
