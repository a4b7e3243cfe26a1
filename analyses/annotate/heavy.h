/* SPDX-License-Identifier: MIT */
/* analyses/annotate/heavy.h: the functions with a share of an event. */
#ifndef CP_ANALYSES_ANNOTATE_HEAVY_H
#define CP_ANALYSES_ANNOTATE_HEAVY_H

#include "analyses/annotate/shares.h"

/* True if the weight is the share of its event that a page wants, or more. */
bool cp_annotate_is_heavy(
    const struct cp_annotate *, uint64_t weight, uint32_t event);
/*
 * Returns for each row of the tally whether its function has the share of its
 * event that a page wants.  Frames must have names.
 */
bool *cp_annotate_heavy(
    const struct cp_annotate *, const struct cp_tally_row *, size_t n);

#endif
