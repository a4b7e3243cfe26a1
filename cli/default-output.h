/* SPDX-License-Identifier: MIT */
/* cli/default-output.h: the name of what is written without -o. */
#ifndef CP_CLI_DEFAULT_OUTPUT_H
#define CP_CLI_DEFAULT_OUTPUT_H

#include "cli/cli.h"

/*
 * pack, snapshot and unpack write next to the capture, by its name.  CP_FAIL
 * after a diagnostic: it has none.
 */
int cp_default_output(struct cp_cli *) CP_MUST_USE;

#endif
