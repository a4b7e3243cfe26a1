/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/unnamed-objects.h: the objects whose samples have no symbol,
 * and why.
 *
 * Counts samples by their innermost frame, as the account of names does.
 */
#ifndef CP_ANALYSES_REPORT_UNNAMED_OBJECTS_H
#define CP_ANALYSES_REPORT_UNNAMED_OBJECTS_H

#include <coldperf/plugin.h>

/*
 * Adds a table of the objects that have many such samples, if there are any.
 * The stacks (b) of the rows must have been named.
 */
void cp_unnamed_show(
    struct cp_run *, const struct cp_tally_row *, size_t, struct cp_report *);

#endif
