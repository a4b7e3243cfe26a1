/* SPDX-License-Identifier: MIT */
/*
 * cli/walls.h: --sandbox: takes rights away from the process before a command
 * runs.
 *
 * This happens before the first byte of an input is read.
 */
#ifndef CP_CLI_WALLS_H
#define CP_CLI_WALLS_H

#include "cli/cli.h"

/* CP_FAIL after a diagnostic: --sandbox=require, and a limit cannot be set. */
int cp_cli_walls(struct cp_cli *) CP_MUST_USE;
/* True if the command writes next to the capture, by its name: without -o. */
bool cp_cli_writes_there(const struct cp_cli *);
/* Removes the cache's folder if it was made and nothing was cached. */
void cp_cli_walls_end(struct cp_cli *);

#endif
