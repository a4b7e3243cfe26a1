/* SPDX-License-Identifier: MIT */
/*
 * analyses/lost/lost-callers.h: in which objects functions without a frame
 * lie whose callers are in no chain.
 */
#ifndef CP_ANALYSES_LOST_LOST_CALLERS_H
#define CP_ANALYSES_LOST_LOST_CALLERS_H

#include <coldperf/plugin.h>

struct cp_lost_object;
struct cp_lost_callers {
	struct cp_run *run;
	struct cp_lost_object *objects; /* by dso id */
	size_t n;
	uint64_t all; /* samples with a stack */
};

void cp_lost_callers_init(struct cp_lost_callers *, struct cp_run *);
/* Counts a stack that n samples have. */
void cp_lost_callers_add(struct cp_lost_callers *, cp_stack_id, uint64_t n);
/* Shows the table of objects, if there are any; sorts them. */
void cp_lost_callers_show(struct cp_lost_callers *, struct cp_report *);

#endif
