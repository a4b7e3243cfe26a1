/* SPDX-License-Identifier: MIT */
/*
 * analyses/diff/cells.h: what is compared: rows of numbers, one for each run.
 */
#ifndef CP_ANALYSES_DIFF_CELLS_H
#define CP_ANALYSES_DIFF_CELLS_H

#include <coldperf/plugin.h>

/* One row in one run. */
struct cp_diff_cell {
	double weight, weight_sq;
	double dispersion; /* >= 1; 0: not known, taken for 1 */
	uint64_t samples;
};

/* A variance, relative to the square of what varies, and how well known. */
struct cp_diff_variance {
	double value, degrees;
};

struct cp_diff_runs {
	uint32_t before, after; /* runs: the first so many, and the others */
	const double *total;    /* weight of all rows, by run */
	const double *norm;     /* what makes runs comparable, by run */
	double norm_var;        /* of its logarithm, after against before */
	double noise; /* relative, of a run; for when it is not measured */
	double unit;  /* weight of a typical sample */
	/* between.c: what runs of the same differ by, beyond sampling. */
	struct cp_diff_variance own;    /* each function by itself */
	struct cp_diff_variance common; /* all functions together */
	const double *effect; /* by run: its deviation, of all functions */
	double concentration; /* of the cost: the sum of squared shares */
};

#endif
