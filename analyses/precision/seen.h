/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/seen.h: samples of one event in their order, up to a
 * limit.
 *
 * All samples are kept until CP_SEEN_LIMIT; then every second piece of
 * CP_SEEN_PIECE neighbours is dropped, and the same part of later pieces.  So
 * the pieces are spread evenly over the capture, and a piece has no gaps.
 */
#ifndef CP_ANALYSES_PRECISION_SEEN_H
#define CP_ANALYSES_PRECISION_SEEN_H

#include <coldperf/plugin.h>
#include <coldperf/precision.h>

enum { CP_SEEN_PIECE = 1024, CP_SEEN_LIMIT = 32 * CP_SEEN_PIECE };

struct cp_seen_log {
	struct cp_seen **chunk;
	uint32_t n_chunks, cap_chunks;
	uint32_t n;      /* kept */
	uint64_t count;  /* seen */
	uint64_t stride; /* of the pieces kept; 0 stands for 1 */
};

void cp_seen_add(
    struct cp_seen_log *, struct cp_run *, const struct cp_sample *, uint32_t);
const struct cp_seen *cp_seen_at(const struct cp_seen_log *, uint32_t i);

#endif
