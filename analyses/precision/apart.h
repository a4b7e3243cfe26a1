/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/apart.h: can the shares of the first two rows of a table
 * be told apart, and if not, how long a recording is needed?
 */
#ifndef CP_ANALYSES_PRECISION_APART_H
#define CP_ANALYSES_PRECISION_APART_H

#include <coldperf/plugin.h>

/* Rows without a sample in common: the first weighs as much or more. */
struct cp_apart {
	struct cp_mass part[2];
	struct cp_whole whole[2];
	unsigned n; /* number of rows, up to 2 */
};

void cp_apart_row(struct cp_apart *, struct cp_mass, struct cp_whole);
/*
 * Notes how long a recording would tell them apart; adds no note if they
 * already are.
 */
void cp_apart_note(const struct cp_apart *, struct cp_run *, uint32_t event,
    struct cp_report *);

#endif
