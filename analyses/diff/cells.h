/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/cells.h: the numbers that are compared: a row of cells, one for
 * each run.
 */
#ifndef CP_ANALYSES_DIFF_CELLS_H
#define CP_ANALYSES_DIFF_CELLS_H

#include <coldperf/plugin.h>

/* A row's numbers in one run. */
struct cp_diff_cell {
	double weight, weight_sq;
	double dispersion; /* >= 1; 0: unknown, taken as 1 */
	uint64_t samples;
	/* how many times, apart from one another, it is seen at least */
	double occurrences;
};

/* A relative variance, and the degrees of freedom it is known with. */
struct cp_diff_variance {
	double value, degrees;
};

struct cp_diff_runs {
	/* number of runs on each side; those before come first */
	uint32_t before, after;
	const double *total; /* weight of all rows, by run */
	/* by run: the divisor that makes runs comparable */
	const double *norm;
	/* variance of log(after / before) of the norms */
	double norm_var;
	double noise; /* relative, of a run; used if it was not measured */
	double unit;  /* weight of a typical sample */
	/* Set by between.c: how runs of the same differ beyond sampling. */
	struct cp_diff_variance own; /* each function by itself */
	/*
	 * The part of what slices show that several runs show, and the largest
	 * one that they allow.
	 */
	double likely, bursts;
	/*
	 * The largest own.value that the functions of one run each allow; 0:
	 * not known.
	 */
	double most;
	struct cp_diff_variance common; /* all functions together */
	const double *effect; /* by run: how all functions deviate in it */
	double chance;        /* the variance that an effect has by sampling */
	double concentration; /* sum of the squared shares of the cost */
};

#endif
