/* SPDX-License-Identifier: MIT */
/*
 * cli/sides.h: captures of a comparison: which are before, which after.
 */
#ifndef CP_CLI_SIDES_H
#define CP_CLI_SIDES_H

#include "cli/cli.h"

/*
 * Sorts captures into before and after, and expands folders; CP_FAIL after a
 * diagnostic.
 */
int cp_cli_sides(struct cp_cli *) CP_MUST_USE;

#endif
