/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/full-step.h: steps for which packed rules are not enough.
 */
#ifndef CP_SYMBOLIZE_UNWIND_FULL_STEP_H
#define CP_SYMBOLIZE_UNWIND_FULL_STEP_H

#include "symbolize/unwind/walk.h"

/*
 * Steps by full rule id, which is the rule of address pc.  Returns why the walk
 * ended, or NONE.  *again: a needed register is unknown.
 */
enum cp_unwind_end cp_walk_full_step(
    struct cp_unwind_walk *, uint32_t id, uint64_t pc, bool *again);
/* Steps from an address that has no rule, in the same way. */
enum cp_unwind_end cp_walk_no_table(struct cp_unwind_walk *, bool *again);

#endif
