/* SPDX-License-Identifier: MIT */
/* analyses/annotate/near.h: which instructions of a function are shown. */
#ifndef CP_ANALYSES_ANNOTATE_NEAR_H
#define CP_ANALYSES_ANNOTATE_NEAR_H

#include "analyses/annotate/shares.h"

/* By instruction of h->code: those with samples and the context of these. */
const bool *cp_annotate_near(struct cp_annotate *, const struct cp_hot *);

#endif
