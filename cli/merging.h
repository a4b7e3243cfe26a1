/* SPDX-License-Identifier: MIT */
/* cli/merging.h: reads several captures that are counted as one. */
#ifndef CP_CLI_MERGING_H
#define CP_CLI_MERGING_H

#include "cli/cli.h"
#include "run/merge/merge.h"

/* Adds analyses to the run of the union. */
typedef int (*cp_merging_tasks)(void *ctx, struct cp_run *all);
/* Reads all captures of the command line; CP_FAIL after a diagnostic. */
int cp_merging_read(struct cp_cli *, struct cp_merger *, cp_merging_tasks,
    void *ctx) CP_MUST_USE;

#endif
