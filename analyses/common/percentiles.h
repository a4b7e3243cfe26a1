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

/* The columns of a set, and a row's cells in them; q is evaluated often. */
#define CP_QUANTILES_COLUMNS                                                   \
	CP_TIME("Average"), CP_TIME("p50"), CP_TIME("p95"), CP_TIME("p99"),    \
	    CP_TIME("Max")
#define CP_QUANTILES_CELLS(q)                                                  \
	(q)->n != 0 ? cp_quantiles_mean(q) : CP_NO_TIME,                       \
	    cp_quantiles_cell(q, 0.5), cp_quantiles_cell(q, 0.95),             \
	    cp_quantiles_cell(q, 0.99), (q)->n != 0 ? (q)->max : CP_NO_TIME
struct cp_cell cp_quantiles_cell(struct cp_quantiles *, double share);
/*
 * Notes, for tables over n values, that percentiles of large rows come from
 * buckets.
 */
void cp_quantiles_note(struct cp_report *, uint64_t n);

#endif
