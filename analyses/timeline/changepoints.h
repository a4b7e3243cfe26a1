/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/changepoints.h: where a series of counts changes its rate.
 *
 * Binary segmentation with windows: a part is cut where two rates explain it
 * best (likelihood ratio of Poisson counts), or at both ends of a window whose
 * rate differs from that around it ("circular binary segmentation"), if the
 * gain exceeds a penalty; the parts are cut likewise.  Then cuts are removed
 * that later cuts next to them made needless.  The penalty grows with the
 * logarithm of the series' length; it is chosen so that at most one in a
 * hundred series of a constant rate are cut.  Gains are divided by the
 * overdispersion, which is estimated from the differences of neighbouring sums
 * of the length tested: a load that wanders has no change at each of its turns.
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

/* False if the counts are too few to tell whether their rate changes. */
bool cp_changepoints_tell(const double *count, uint32_t n);
/*
 * Cuts at most max times; returns the number of cuts, which are in order of
 * time.
 */
size_t cp_changepoints(struct cp_run *, const double *count, uint32_t n,
    size_t max, struct cp_changepoint *out);

#endif
