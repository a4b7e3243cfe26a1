/* SPDX-License-Identifier: MIT */
/*
 * analyses/info/brief.h: for the overview of a capture whose samples have no
 * names: the ways to get them, ready to paste.
 */
#ifndef CP_ANALYSES_INFO_BRIEF_H
#define CP_ANALYSES_INFO_BRIEF_H

#include <coldperf/plugin.h>

/* Rows are (0, stack); the stacks must have been named. */
void cp_info_brief_ways(
    struct cp_run *, const struct cp_tally_row *, size_t n, struct cp_report *);

#endif
