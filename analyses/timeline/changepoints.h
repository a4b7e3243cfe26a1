/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/changepoints.h: where a series of counts changes its rate.
 *
 * Binary segmentation: the series is cut where the two parts explain it best
 * as two rates (likelihood ratio of Poisson counts), if that is better than
 * chance, and so are the parts; then cuts that the neighbours made needless
 * are taken back.  A ratio counts if it is above so much times the logarithm
 * of the series' length that a series of one rate is cut less than once in a
 * hundred times.  Counts that vary more than Poisson's do are divided by how
 * much more, from the differences of neighbours.
 */
#ifndef CP_ANALYSES_TIMELINE_CHANGEPOINTS_H
#define CP_ANALYSES_TIMELINE_CHANGEPOINTS_H

#include <coldperf/plugin.h>

struct cp_changepoint {
	uint32_t at;           /* first bin of the new rate */
	double before, after;  /* counts a bin */
	double change, lo, hi; /* after / before - 1, 95 % */
	double gain;           /* likelihood ratio: how sure */
};

/* Cuts at most max times; answers how many, in order of time. */
size_t cp_changepoints(struct cp_run *, const double *count, uint32_t n,
    size_t max, struct cp_changepoint *out);

#endif
