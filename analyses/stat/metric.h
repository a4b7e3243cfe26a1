/* SPDX-License-Identifier: MIT */
/*
 * analyses/stat/metric.h: what a count says beside another one: instructions a
 * cycle, the share of branches that were mispredicted, CPUs used.
 *
 * The pairs are those of perf stat; where it has none for a miss, misses per
 * thousand instructions.
 */
#ifndef CP_ANALYSES_STAT_METRIC_H
#define CP_ANALYSES_STAT_METRIC_H

#include <coldperf/plugin.h>

struct cp_metric {
	uint32_t base;  /* event that it is divided by; CP_NO_ID: the time */
	double factor;  /* of the quotient */
	const char *of; /* "instructions a cycle"; NULL: there is no metric */
};

struct cp_metric cp_metric_of(const struct cp_run *, uint32_t event);

#endif
