/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/delays.h: many durations, whose percentiles are computed at
 * the end.
 *
 * A store keeps every value in four bytes, and its percentiles are exact: a
 * percentile is the smallest value such that at least that share of all values
 * is not larger.  All stores of a pool share a budget.  When it is used up, the
 * large stores become histograms with CP_DELAYS_STEPS equal steps between a
 * power of two and the next.  A percentile is then the middle of a step, off by
 * less than 1 / (2 * CP_DELAYS_STEPS) of the value; values below 2 *
 * CP_DELAYS_STEPS, the largest and the smallest value, the count and the sum
 * stay exact.
 */
#ifndef CP_ANALYSES_SCHED_DELAYS_H
#define CP_ANALYSES_SCHED_DELAYS_H

#include <coldperf/plugin.h>

enum { CP_DELAYS_STEPS = 128 };

struct cp_delays_block;
struct cp_delays {
	uint64_t count, sum, max, min;
	struct cp_delays_block *last;  /* of values that fit 32 bits */
	struct cp_delays_block *large; /* of halves of those that do not */
	uint64_t **histogram;          /* steps by power of two; NULL: exact */
	size_t bytes;                  /* of blocks */
	struct cp_delays *next;        /* of the pool */
};

enum { CP_DELAYS_SIZES = 6 };

struct cp_delays_pool {
	struct cp_run *run;
	struct cp_delays *all;
	size_t bytes, budget; /* of blocks */
	struct cp_delays_block *spare[CP_DELAYS_SIZES];
	/* Scratch memory for percentiles. */
	uint64_t *sorted, *scratch;
	size_t cap;
};

/* A budget of 0 means 64 MiB. */
void cp_delays_pool_init(
    struct cp_delays_pool *, struct cp_run *, size_t budget);
/* Zeroed memory is an empty store. */
void cp_delays_add(struct cp_delays_pool *, struct cp_delays *, uint64_t value);

/* Computes n percentiles over all the stores; 0 if there are no values. */
void cp_delays_ask(struct cp_delays_pool *,
    const struct cp_delays *const *stores, size_t n_stores, const double *share,
    uint64_t *out, size_t n);
/* True if percentiles of the store are exact. */
bool cp_delays_exact(const struct cp_delays *);

/* Gets each value and its count; for a histogram the middle of each step. */
typedef void (*cp_delays_fn)(void *ctx, uint64_t value, uint64_t count);
void cp_delays_each(const struct cp_delays *, cp_delays_fn, void *ctx);

/* delay-bins.c: durations as a histogram that people read. */

/* Adds bins whose bounds are 1, 2 and 5 times powers of ten. */
void cp_delays_show(struct cp_run *, const struct cp_delays *const *stores,
    size_t n_stores, struct cp_histogram *);

#endif
