/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/time-buckets.h: weights by key and time, in a limited number
 * of buckets.  They widen as the capture goes on, because its length is not
 * known before its end.
 */
#ifndef CP_ANALYSES_COMMON_TIME_BUCKETS_H
#define CP_ANALYSES_COMMON_TIME_BUCKETS_H

#include <coldperf/plugin.h>

/*
 * Buckets widen when all keys together have more rows than this: 7,000 threads
 * in 600 buckets each; 300 MiB.
 */
#define CP_BUCKETS_ROWS (4u << 20)

struct cp_buckets {
	struct cp_run *run;
	struct cp_tally *tally; /* key, bucket */
	struct cp_tally *spare;
	uint32_t most;
	uint64_t width;     /* ns */
	uint64_t unchecked; /* rows added since they were last counted */
};

void cp_buckets_init(
    struct cp_buckets *, struct cp_run *, uint32_t most, uint64_t width);
/* Adds a weight; `since` must always count from the same moment. */
void cp_buckets_add(
    struct cp_buckets *, uint64_t key, uint64_t since, uint64_t weight);
/* Adds the length of a span to the buckets that it lies in. */
void cp_buckets_span(
    struct cp_buckets *, uint64_t key, uint64_t since, uint64_t until);

/* Returns rows sorted by key, then bucket. */
size_t cp_buckets_rows(const struct cp_buckets *, struct cp_tally_row **);

#endif
