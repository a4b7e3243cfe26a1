/* SPDX-License-Identifier: MIT */
/* analyses/annotate/near.h: which instructions of a function are shown. */
#ifndef CP_ANALYSES_ANNOTATE_NEAR_H
#define CP_ANALYSES_ANNOTATE_NEAR_H

#include "analyses/annotate/shares.h"

/*
 * Returns a flag for each instruction of h->code: true if it, or one within the
 * context around it, has samples.
 */
const bool *cp_annotate_near(struct cp_annotate *, const struct cp_hot *);

#endif
