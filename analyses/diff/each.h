/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/each.h: one capture before against many after, each by itself.
 *
 * The main comparison takes all runs after together, as runs of the same; one
 * that differs from the others counts as noise there.  Here each is compared by
 * itself, and Holm's correction counts the questions of all of them.
 */
#ifndef CP_ANALYSES_DIFF_EACH_H
#define CP_ANALYSES_DIFF_EACH_H

#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"

/* What is asked. */
struct cp_diff_questions {
	const struct cp_diff_profiles *profiles;
	const struct cp_diff_runs *runs; /* one run before */
	const struct cp_diff_cell *cell; /* by row * runs + run */
	const double *norm_var;          /* by run */
	const bool *skip;                /* by row: do not test it */
	uint32_t n_rows;
	double min_share, alpha;
};

struct cp_diff_answer {
	struct cp_diff_result result;
	uint32_t row, run;
};

struct cp_diff_each {
	/* changes that chance does not explain, largest first */
	struct cp_diff_answer *found;
	size_t n, tested;
};

void cp_diff_each_test(
    struct cp_diff_each *, struct cp_run *, const struct cp_diff_questions *);
void cp_diff_each_table(const struct cp_diff_each *,
    const struct cp_diff_questions *, struct cp_report *, uint64_t top);

/* Returns "new", "gone", "more" or "less". */
const char *cp_diff_direction(const struct cp_diff_result *);
/* A change with its interval as text: what is new has no percentage. */
struct cp_diff_change {
	char text[96];
};
struct cp_diff_change cp_diff_change_of(const struct cp_diff_result *);

#endif
