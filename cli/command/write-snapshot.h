/* SPDX-License-Identifier: MIT */
/* cli/command/write-snapshot.h: the samples of a run as a snapshot. */
#ifndef CP_CLI_COMMAND_WRITE_SNAPSHOT_H
#define CP_CLI_COMMAND_WRITE_SNAPSHOT_H

#include "cli/cli.h"
#include "report/report.h"
#include "run/api.h"

struct cp_merger;

/*
 * Lets the run's analyses finish and writes their report to the output; m: the
 * captures of the snapshot, or NULL.  CP_FAIL after a diagnostic.
 */
int cp_write_snapshot(struct cp_cli *, struct cp_run *,
    const struct cp_merger *m, struct cp_report *);
/*
 * Reads a snapshot without records and writes it anew, with the samples that
 * were chosen and without what a policy removes.  If copy() is true, it has
 * written the output; it may be NULL.
 */
int cp_write_tables(struct cp_cli *, struct cp_run *,
    bool (*copy)(struct cp_cli *, const struct cp_run *));

#endif
