/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/diff.h: what the parts of diff share: what was asked, what was
 * read, and what was found.
 */
#ifndef CP_ANALYSES_DIFF_DIFF_H
#define CP_ANALYSES_DIFF_DIFF_H

#include "analyses/diff/each.h"
#include "analyses/diff/profile.h"
#include "analyses/diff/statistics.h"
#include "analyses/diff/slices.h"
#include "analyses/diff/tree.h"

/* The unit of work that costs are divided by. */
enum cp_diff_unit {
	CP_DIFF_DEFAULT, /* RUN or TIME, as the captures were made */
	CP_DIFF_RUN,
	CP_DIFF_TIME,
	CP_DIFF_CPU,
	CP_DIFF_SAMPLES,
	CP_DIFF_MEDIAN,
	CP_DIFF_FUNCTION,
	CP_DIFF_NUMBERS,
};

enum cp_diff_verdict {
	CP_DIFF_SAME, /* no change that chance does not explain */
	CP_DIFF_CHANGED,
	/* More than sampling explains, less than runs of the same may differ.
	 */
	CP_DIFF_UNDECIDED,
	CP_DIFF_TOO_FEW,
	CP_DIFF_INTERRUPTS,
};

/* Two functions that count as one, and why. */
struct cp_diff_pair {
	uint32_t gone, to; /* symbols: the one that counts as the other */
	const char *why;
};

struct cp_diff_row {
	double delta, weight;
	uint32_t symbol;
	enum cp_diff_verdict verdict;
};

struct cp_diff {
	struct cp_run *run;
	const char *per; /* as asked; NULL: not */
	enum cp_diff_unit unit;
	uint64_t baseline, top;
	double noise, alpha, fail_over, min_share;
	bool gate, gate_paths, allow_undecided;
	/* Of the capture at hand. */
	struct cp_tally *stacks; /* event, stack */
	struct cp_diff_slices slices;

	struct cp_diff_profiles profiles;
	/* Of finish(). */
	struct cp_diff_runs runs;
	uint32_t n_runs, n_rows;
	struct cp_diff_cell *cell;     /* by symbol * n_runs + run */
	struct cp_diff_result *result; /* by symbol */
	double *interrupt; /* by symbol: weight in interrupts, all runs */
	double *weight;    /* by symbol, all runs */
	double *norm_var;  /* by run */
	struct cp_diff_row *row;
	uint32_t undecided; /* rows */
	struct cp_diff_pair *pair;
	uint32_t pairs;
	struct cp_diff_tree tree;
	/* Everything together, by a unit that is no share. */
	enum cp_diff_unit whole_unit;
	struct cp_diff_runs whole_runs;
	struct cp_diff_result whole;
	enum cp_diff_verdict whole_verdict;
	struct cp_diff_questions each; /* of one before and many after */
	struct cp_diff_each answers;
};

/* unit.c: what is asked with --per; CP_FAIL after a diagnostic. */
int cp_diff_unit_parse(struct cp_diff *);
/* Sets what runs are divided by.  They may be found once more. */
int cp_diff_norms(struct cp_diff *);
/* "per run": what a cost is of. */
const char *cp_diff_unit_name(const struct cp_diff *, enum cp_diff_unit);

/* pairing.c: functions that were inlined, renamed or moved. */
void cp_diff_pair_up(struct cp_diff *);
/* What interrupts do is decided by the surroundings, not by the program. */
bool cp_diff_in_interrupts(const struct cp_diff *, uint32_t symbol);

/* verdicts.c: tests everything. */
void cp_diff_judge(struct cp_diff *);
/* How many runs on each side would decide what one each cannot. */
uint32_t cp_diff_runs_wanted(const struct cp_diff *);
/*
 * The smallest growth of a function of that share, or of everything (1), that
 * such a comparison finds in 9 of 10 cases.
 */
double cp_diff_power(const struct cp_diff *, double share);
/*
 * What it finds of everything in half of the cases, if samples come one by one
 * and runs of the same never differ.
 */
double cp_diff_power_of_samples(const struct cp_diff *);

/* show.c: the tables and notes. */
void cp_diff_show(const struct cp_diff *, struct cp_report *);

/* gate.c: --fail-over. */
void cp_diff_gate(const struct cp_diff *);
/* Why there is nothing to compare; NULL: there is. */
const char *cp_diff_lacks(const struct cp_diff *);

#endif
