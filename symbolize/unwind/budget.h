/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/budget.h: limits the total cost of the rules of one object.
 */
#ifndef CP_SYMBOLIZE_UNWIND_BUDGET_H
#define CP_SYMBOLIZE_UNWIND_BUDGET_H

#include "symbolize/unwind/walk.h"

/*
 * Charges the object with the steps that one of its rules took.  Its tables are
 * no longer used once the budget is exceeded.
 */
void cp_walk_charge(struct cp_unwind_walk *, uint32_t dso, uint32_t steps);

#endif
