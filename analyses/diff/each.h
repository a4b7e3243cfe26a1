/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/each.h: one capture against many: each of the many against it.
 *
 * All that come after are taken together elsewhere, as runs of the same, and
 * one that differs from the others counts as noise there.  Here each is
 * compared by itself, with all the others' questions counted in Holm's
 * correction.
 */
#ifndef CP_ANALYSES_DIFF_EACH_H
#define CP_ANALYSES_DIFF_EACH_H

#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"

/* What is asked. */
struct cp_diff_questions {
	const struct cp_diff_profiles *profiles;
	const struct cp_diff_runs *runs; /* one before */
	const struct cp_diff_cell *cell; /* by row * runs + run */
	const double *norm_var;          /* by run */
	const bool *skip;                /* by row: not to be tested */
	uint32_t n_rows;
	double min_share, alpha;
};

struct cp_diff_answer {
	struct cp_diff_result result;
	uint32_t row, run;
};

struct cp_diff_each {
	struct cp_diff_answer *found; /* that are no chance; largest first */
	size_t n, tested;
};

void cp_diff_each_test(
    struct cp_diff_each *, struct cp_run *, const struct cp_diff_questions *);
void cp_diff_each_table(const struct cp_diff_each *,
    const struct cp_diff_questions *, struct cp_report *, uint64_t top);

/* "new", "gone", "more" or "less". */
const char *cp_diff_direction(const struct cp_diff_result *);

#endif
