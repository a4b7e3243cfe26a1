/* SPDX-License-Identifier: MIT */
/*
 * cli/option-values.h: the options of all commands, and their values.
 */
#ifndef CP_CLI_OPTION_VALUES_H
#define CP_CLI_OPTION_VALUES_H

#include "cli/cli.h"
#include "cli/commands.h"

/* Reports an error in the command line.  Returns CP_FAIL. */
int cp_cli_bad(struct cp_cli *, const char *fmt, ...) CP_PRINTF(2, 3);
/*
 * Sets an option that is not an analysis' own.  Splits the value in place and
 * keeps it; NULL: the option has none.
 */
int cp_cli_set_option(
    struct cp_cli *, const struct cp_common_option *, char *value) CP_MUST_USE;

#endif
