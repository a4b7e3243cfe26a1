/* SPDX-License-Identifier: MIT */
/*
 * analyses/code/ranges.h: addresses without a name, grouped into ranges.
 *
 * Code without symbols and without bounds is a list of addresses.  Those that
 * are neighbours, or are called from the same place, are a part of one
 * function.  Ranges with little weight are left to the row of their object.
 */
#ifndef CP_ANALYSES_CODE_RANGES_H
#define CP_ANALYSES_CODE_RANGES_H

#include "analyses/common/call-paths.h"
#include "analyses/common/code-groups.h"

/*
 * Makes ranges of the paths' code entities of their own.  Call it after
 * cp_entities_init() and before the first frame.  The rows tell the weight;
 * share: of a row in its event, or NULL if all are of one.
 */
void cp_ranges_find(struct cp_entities *, const struct cp_paths *,
    const struct cp_tally_row *, size_t n, const double *share);

#endif
