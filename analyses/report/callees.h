/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/callees.h: the heaviest functions with what they call.
 *
 * A function's weight is that of the samples with it anywhere on their chain,
 * a callee's that of the samples in which the function calls it directly;
 * either once per sample.  A function calling itself is no callee.
 */
#ifndef CP_ANALYSES_REPORT_CALLEES_H
#define CP_ANALYSES_REPORT_CALLEES_H

#include "analyses/common/call-sums.h"

/* The whole of an entity's share, with its dispersion. */
typedef struct cp_whole (*cp_whole_fn)(void *ctx, uint32_t entity);
/* Adds the table, unless no sample has a caller. */
void cp_downwards_show(const struct cp_sums *, struct cp_whole all, cp_whole_fn,
    void *ctx, struct cp_report *);

#endif
