/* SPDX-License-Identifier: MIT */
/* analyses/annotate/hottest.h: the heaviest lines of all functions shown. */
#ifndef CP_ANALYSES_ANNOTATE_HOTTEST_H
#define CP_ANALYSES_ANNOTATE_HOTTEST_H

#include "analyses/annotate/shares.h"

/*
 * Adds a table of the heaviest lines of n functions of one event.  The code of
 * each function must be known.
 */
void cp_annotate_hottest(
    struct cp_annotate *, struct cp_report *, const struct cp_hot *, size_t n);

#endif
