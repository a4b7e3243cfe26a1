/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/time-buckets.h: weights by key and time, in at most so many
 * buckets that grow with the capture, whose length nobody knows before its end.
 */
#ifndef CP_ANALYSES_COMMON_TIME_BUCKETS_H
#define CP_ANALYSES_COMMON_TIME_BUCKETS_H

#include <coldperf/plugin.h>

/* Rows of all keys from which on buckets get wider: 7,000 threads that are
 * in 600 buckets each; 300 MiB. */
#define CP_BUCKETS_ROWS (4u << 20)

struct cp_buckets {
	struct cp_run *run;
	struct cp_tally *tally; /* key, bucket */
	struct cp_tally *spare;
	uint32_t most;
	uint64_t width;     /* ns */
	uint64_t unchecked; /* added since rows were counted */
};

void cp_buckets_init(
    struct cp_buckets *, struct cp_run *, uint32_t most, uint64_t width);
/* since is told from the same moment always. */
void cp_buckets_add(
    struct cp_buckets *, uint64_t key, uint64_t since, uint64_t weight);
/* The length of a span, spread over the buckets that it lies in. */
void cp_buckets_span(
    struct cp_buckets *, uint64_t key, uint64_t since, uint64_t until);

/* Rows by key, then bucket. */
size_t cp_buckets_rows(const struct cp_buckets *, struct cp_tally_row **);

#endif
