/* SPDX-License-Identifier: MIT */
/*
 * analyses/stat/compared.h: what perf stat counted in several captures.
 */
#ifndef CP_ANALYSES_STAT_COMPARED_H
#define CP_ANALYSES_STAT_COMPARED_H

#include "analyses/stat/counts.h"

struct cp_counted {
	struct cp_count *all;
	size_t n;
	uint64_t elapsed; /* ns */
};

/* Keeps the sums of the current capture; false: perf stat made none. */
bool cp_counts_take(struct cp_run *, struct cp_counted *);
/*
 * Compares the events that the first of n captures has; the first `baseline'
 * are before.
 */
void cp_counts_compare(struct cp_report *, const struct cp_counted *all,
    uint32_t n, uint32_t baseline);

#endif
