/* SPDX-License-Identifier: MIT */
/* analyses/annotate/lines.h: a function line by line. */
#ifndef CP_ANALYSES_ANNOTATE_LINES_H
#define CP_ANALYSES_ANNOTATE_LINES_H

#include "analyses/annotate/shares.h"

/* Adds the rows below the function's row. */
void cp_annotate_lines(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);

#endif
