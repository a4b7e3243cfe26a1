/* SPDX-License-Identifier: MIT */
/* analyses/annotate/listing.h: a function instruction by instruction. */
#ifndef CP_ANALYSES_ANNOTATE_LISTING_H
#define CP_ANALYSES_ANNOTATE_LISTING_H

#include "analyses/annotate/shares.h"

/* Adds the rows below the function's row. */
void cp_annotate_listing(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);

#endif
