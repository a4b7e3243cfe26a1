/* SPDX-License-Identifier: MIT */
/* cli/command/copy-snapshot.h: a snapshot without records, as it is. */
#ifndef CP_CLI_COMMAND_COPY_SNAPSHOT_H
#define CP_CLI_COMMAND_COPY_SNAPSHOT_H

#include "cli/cli.h"
#include "run/api.h"

/* True if the tables that were read are whole, and no option changes them. */
bool cp_snapshot_stays(const struct cp_cli *, const struct cp_run *);
/* Writes the members to the output; false after a diagnostic. */
bool cp_copy_snapshot(struct cp_cli *, const struct cp_run *);

#endif
