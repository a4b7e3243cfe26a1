/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/waits.h: how long threads were blocked, by class of wait and by
 * place, to be compared as costs are.
 */
#ifndef CP_ANALYSES_DIFF_WAITS_H
#define CP_ANALYSES_DIFF_WAITS_H

#include <coldperf/spans.h>

#include "analyses/diff/profile.h"
#include "analyses/waits/wait-class.h"

struct cp_diff_waits {
	struct cp_run *run;
	const struct cp_spans *spans;
	struct cp_tally *blocked; /* by stack, of the current capture */
	struct cp_waitclasses classes;
	double runnable;     /* ns of waits for a CPU in it; -1: not known */
	struct cp_index row; /* (class, place), of all captures */
};

int cp_diff_waits_init(struct cp_diff_waits *, struct cp_run *) CP_MUST_USE;
/* Keeps the waits of the current capture in its profile. */
void cp_diff_waits_read(struct cp_diff_waits *, struct cp_diff_profiles *,
    struct cp_diff_profile *);
/* Returns the row's cells by run; NULL: not all captures have switches. */
struct cp_diff_cell *cp_diff_waits_cells(
    const struct cp_diff_waits *, const struct cp_diff_profiles *);

#endif
