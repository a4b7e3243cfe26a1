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

/*
 * Opens the outputs and sets up the walls; page: text goes to a pager, too.
 * CP_FAIL after a diagnostic: --sandbox=require, and a limit cannot be set.
 */
int cp_cli_walls(struct cp_cli *, bool page) CP_MUST_USE;

#endif
