/* SPDX-License-Identifier: MIT */
/*
 * analyses/hotspots/callers.h: the direct callers and callees of a symbol.
 *
 * A caller's weight is that of the samples in whose chain it directly calls
 * the symbol, once per sample; the same the other way round for callees, with
 * a row for the symbol's own weight.
 *
 * This room has what only `hotspots` shows after its table.  It may use
 * coldperf/plugin.h and analyses/common.  Begin in analyses/hotspots.c, which
 * counts and shows the table of symbols.
 */
#ifndef CP_ANALYSES_HOTSPOTS_CALLERS_H
#define CP_ANALYSES_HOTSPOTS_CALLERS_H

#include <coldperf/plugin.h>

#include "analyses/common/call-paths.h"

/*
 * Adds the tables of --callers and --callees, if these options are given.
 * dispersion: of shares, by event.
 */
int cp_callers_show(struct cp_run *, const struct cp_groups *,
    const struct cp_paths *, const struct cp_grouped *, struct cp_report *,
    uint64_t top, const double *dispersion);

#endif
