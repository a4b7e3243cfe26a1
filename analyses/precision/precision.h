/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/precision.h: how sure shares are, measured in the capture.
 *
 * This room keeps samples in their order, up to a limit (seen.h), and measures
 * on them how much a row's share varies (dispersion.h); rows.h does so for
 * functions; apart.h computes how many samples tell two shares apart.  It may
 * use analyses/common.  Begin with
 * coldperf/precision.h.
 */
#ifndef CP_ANALYSES_PRECISION_PRECISION_H
#define CP_ANALYSES_PRECISION_PRECISION_H

#include <coldperf/plugin.h>
#include <coldperf/precision.h>

#include "analyses/precision/dispersion.h"
#include "analyses/precision/seen.h"

/* The samples of an event, ready to be measured. */
struct cp_view {
	struct cp_precision *of;
	struct cp_seen_log log;
	struct cp_series series; /* n is 0 before the first look */
	bool *has;               /* by sample: it belongs to the row */
};

/* Does the same for the row whose samples are marked in view->has[]. */
struct cp_whole cp_precision_marked(struct cp_view *, struct cp_whole);

#endif
