/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/ratio.h: ratios of sampled counts, with their intervals.
 *
 * A row (a symbol, a thread ...) has an estimated count of each event.  Counts
 * are estimated in one of three ways, which determines their error:
 *
 * Samples of their own: each event was sampled by itself.  A count is a share
 * of what the whole capture counted, and errs as shares do (words.h); those
 * of two events err independently, and so the logarithm of their ratio has
 * the sum of both variances.  A sum over everything errs by a part of a
 * period only.
 *
 * Readings: a sample brings the counts of several events since the sample
 * before.  The ratio is that of two sums over the same readings, and its
 * variance is that of the residuals a - R b (the ratio estimator).
 *
 * Branches: readings of a run of instructions each; those of one sample are
 * taken as if they were fully correlated, which is the worst case.
 *
 * Below CP_RATIO_LEAST samples of either event the ratio is not known.
 */
#ifndef CP_ANALYSES_COMMON_RATIO_H
#define CP_ANALYSES_COMMON_RATIO_H

#include <coldperf/plugin.h>

#include "analyses/common/hw-events.h"
#include "analyses/common/label.h"

#define CP_RATIO_LEAST 10

enum cp_ratio_kind {
	CP_RATIO_CPI,
	CP_RATIO_CACHE_PER_1000, /* the next three are per 1000 instructions */
	CP_RATIO_CACHE_SHARE,    /* of references */
	CP_RATIO_BRANCH_PER_1000,
	CP_RATIO_BRANCH_SHARE, /* of branches */
	CP_RATIO_FRONT_STALLS, /* share of cycles */
	CP_RATIO_BACK_STALLS,
	CP_RATIO_L1D_PER_1000,
	CP_RATIO_L1I_PER_1000,
	CP_RATIO_LLC_PER_1000,
	CP_RATIO_DTLB_PER_1000,
	CP_RATIO_ITLB_PER_1000,
	CP_RATIOS,
};

struct cp_ratio_def {
	const char *name, *column;
	enum cp_role above, below;
	double scale;
};
extern const struct cp_ratio_def cp_ratio_defs[CP_RATIOS];

/* The counts that a row's samples stand for. */
struct cp_counts {
	struct cp_mass mass[CP_ROLES];
	uint64_t samples[CP_ROLES];
	/* Sums over readings of (above + below)^2 of each ratio. */
	double both_sq[CP_RATIOS];
	uint64_t readings[CP_RATIOS];
};

struct cp_ratio {
	double value, lo, hi; /* NaN: not known */
};

/* readings: use the counts of readings; whole: the counts of the capture. */
struct cp_ratio cp_ratio_of(const struct cp_counts *,
    const struct cp_counts *whole, enum cp_ratio_kind, bool readings);
/* Returns 1 / r. */
struct cp_ratio cp_ratio_inverse(struct cp_ratio);
/* Returns exp() of a value that varies by sd around log(value). */
struct cp_ratio cp_ratio_around(double value, double sd, double samples);
struct cp_cell cp_ratio_cell(struct cp_ratio);

#endif
