/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/percentiles.h: count, sum, extremes and percentiles of
 * durations.
 *
 * The first CP_QUANTILES_EXACT values are kept, so that a percentile is one
 * of them: the smallest that is not less than that share of all.  More are
 * counted in buckets of 1/2048 of their size, which is what a percentile may
 * then be too small by; count, sum and extremes stay exact.
 */
#ifndef CP_ANALYSES_COMMON_PERCENTILES_H
#define CP_ANALYSES_COMMON_PERCENTILES_H

#include <coldperf/plugin.h>

#define CP_QUANTILES_EXACT 32768u

struct cp_quantiles {
	uint64_t n, sum, min, max;
	uint64_t max_at;    /* when max was added with its time; CP_NO_TIME */
	uint64_t *values;   /* the first, by cap */
	uint64_t **octaves; /* counts by bucket, once values are too many */
	uint32_t cap;
	bool sorted;
};

/* A zeroed struct is an empty set. */
void cp_quantiles_add(
    struct cp_run *, struct cp_quantiles *, uint64_t value, uint64_t time);
/* Adds all that was added to another set. */
void cp_quantiles_merge(
    struct cp_run *, struct cp_quantiles *, const struct cp_quantiles *);
/* The value at share 0...1; 0 of an empty set. */
uint64_t cp_quantiles_at(struct cp_quantiles *, double share);
uint64_t cp_quantiles_mean(const struct cp_quantiles *);

/* Columns Average, p50, p95, p99, Max, and a row's cells in them. */
void cp_quantiles_columns(struct cp_table *);
void cp_quantiles_cells(struct cp_table *, struct cp_quantiles *);
/* Says of tables over n values that percentiles of large rows are of buckets.
 */
void cp_quantiles_note(struct cp_report *, uint64_t n);

#endif
