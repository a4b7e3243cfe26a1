/* SPDX-License-Identifier: MIT */
/*
 * cli/sides.h: several captures: the two sides of a comparison, before and
 * after, or captures that are counted as one.
 */
#ifndef CP_CLI_SIDES_H
#define CP_CLI_SIDES_H

#include "cli/cli.h"

/*
 * Sorts captures into before and after, and expands folders; CP_FAIL after a
 * diagnostic.
 */
int cp_cli_sides(struct cp_cli *) CP_MUST_USE;
/*
 * Expands folders, and sorts the captures, so that results do not depend on
 * the order they were given in; CP_FAIL after a diagnostic.
 */
int cp_cli_captures(struct cp_cli *) CP_MUST_USE;

#endif
