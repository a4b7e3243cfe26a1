/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/typical.h: the dispersion of shares for tables whose rows
 * are not measured: the mean of that of functions.
 */
#ifndef CP_ANALYSES_PRECISION_TYPICAL_H
#define CP_ANALYSES_PRECISION_TYPICAL_H

#include "analyses/precision/precision.h"

/*
 * The mean of the dispersions of the functions that have most samples of the
 * event, by their number of samples; 1 if there are no samples.  Symbols must
 * have been looked up.
 */
double cp_precision_typical(struct cp_precision *, uint32_t event);
/* Returns the dispersions by event; 0 for events recorded completely. */
double *cp_precision_typical_all(struct cp_precision *);

#endif
