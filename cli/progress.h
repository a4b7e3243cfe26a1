/* SPDX-License-Identifier: MIT */
/* cli/progress.h: a line on stderr when the work takes over a second. */
#ifndef CP_CLI_PROGRESS_H
#define CP_CLI_PROGRESS_H

#include "cli/cli.h"

struct cp_run;

/* Shows from now on how far archives are unpacked. */
void cp_progress_watch(struct cp_cli *);
/* Reads the capture of the run, showing the progress. */
int cp_progress_read(struct cp_cli *, struct cp_run *);

#endif
