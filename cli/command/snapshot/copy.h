/* SPDX-License-Identifier: MIT */
/* cli/command/snapshot/copy.h: a snapshot without records, as it is. */
#ifndef CP_CLI_COMMAND_SNAPSHOT_COPY_H
#define CP_CLI_COMMAND_SNAPSHOT_COPY_H

#include "cli/cli.h"
#include "run/api.h"

/*
 * Writes the members of the snapshot that was read to the output.  False: its
 * tables are damaged, an option changes them, or it failed, with a diagnostic.
 */
bool cp_snapshot_copy(struct cp_cli *, const struct cp_run *);

#endif
