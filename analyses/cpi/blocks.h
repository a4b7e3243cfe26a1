/* SPDX-License-Identifier: MIT */
/* analyses/cpi/blocks.h: cycles per instruction from branch stacks alone. */
#ifndef CP_ANALYSES_CPI_BLOCKS_H
#define CP_ANALYSES_CPI_BLOCKS_H

#include <coldperf/plugin.h>

/* Runs of instructions between two branches. */
struct cp_cpi_blocks {
	struct cp_run *run;
	struct cp_tally *blocks; /* frame of the first and last instruction */
	uint64_t samples, entries;
	uint32_t reading; /* the record counted last */
};
void cp_cpi_blocks_sample(struct cp_cpi_blocks *, const struct cp_sample *);
/*
 * Shows the tables if the capture has nothing else; false: it has no blocks
 * either.
 */
bool cp_cpi_blocks_show(
    struct cp_cpi_blocks *, struct cp_report *, uint64_t top);

#endif
