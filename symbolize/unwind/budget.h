/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/budget.h: what the rules of one object may cost in all.
 */
#ifndef CP_SYMBOLIZE_UNWIND_BUDGET_H
#define CP_SYMBOLIZE_UNWIND_BUDGET_H

#include "symbolize/unwind/walk.h"

/*
 * Charges the object with the steps that one of its rules took.  Over its
 * budget its tables are given up.
 */
void cp_walk_charge(struct cp_unwind_walk *, uint32_t dso, uint32_t steps);

#endif
