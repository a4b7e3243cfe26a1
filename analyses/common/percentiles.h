/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/percentiles.h: count, sum, extremes and percentiles of
 * durations.
 *
 * Keeps the first CP_QUANTILES_EXACT values; as long as these are all, a
 * percentile is one of the values: the smallest that is at least as large as
 * that share of all.  Further values are counted in buckets whose width is
 * 1/2048 of the value, and a percentile may be too small by that part; count,
 * sum and extremes stay exact.
 */
#ifndef CP_ANALYSES_COMMON_PERCENTILES_H
#define CP_ANALYSES_COMMON_PERCENTILES_H

#include <coldperf/plugin.h>

#define CP_QUANTILES_EXACT 32768u

struct cp_quantiles {
	uint64_t n, sum, min, max;
	uint64_t max_at;  /* time given with max; CP_NO_TIME: none */
	uint64_t *values; /* the first values; cap is the room for them */
	/* counts by bucket; used for more values than these */
	uint64_t **octaves;
	uint32_t cap;
	bool sorted;
};

/* Adds a value; a zeroed struct is an empty set. */
void cp_quantiles_add(
    struct cp_run *, struct cp_quantiles *, uint64_t value, uint64_t time);
/* Adds all values of another set. */
void cp_quantiles_merge(
    struct cp_run *, struct cp_quantiles *, const struct cp_quantiles *);
/* Returns the value at share 0...1; 0 for an empty set. */
uint64_t cp_quantiles_at(struct cp_quantiles *, double share);
/*
 * Are there enough values above that share?  Of the median it is asked for no
 * more than one value.
 */
bool cp_quantiles_tell(const struct cp_quantiles *, double share);
uint64_t cp_quantiles_mean(const struct cp_quantiles *);

/* Adds columns Average, p50, p95, p99, Max, and a row's cells in them. */
void cp_quantiles_columns(struct cp_table *);
void cp_quantiles_cells(struct cp_table *, struct cp_quantiles *);
/*
 * Notes, for tables over n values, that percentiles of large rows come from
 * buckets.
 */
void cp_quantiles_note(struct cp_report *, uint64_t n);

#endif
