/* SPDX-License-Identifier: MIT */
/*
 * analyses/precision/apart.h: whether the first two rows of a table can be told
 * apart, and how long a recording would do it.
 */
#ifndef CP_ANALYSES_PRECISION_APART_H
#define CP_ANALYSES_PRECISION_APART_H

#include <coldperf/plugin.h>

/* Rows without a sample in common: the first weighs as much or more. */
struct cp_apart {
	struct cp_mass part[2];
	struct cp_whole whole[2];
	unsigned n; /* rows there are, up to 2 */
};

void cp_apart_row(struct cp_apart *, struct cp_mass, struct cp_whole);
/* Notes what it would take; nothing where they are apart. */
void cp_apart_note(const struct cp_apart *, struct cp_run *, uint32_t event,
    struct cp_report *);

#endif
