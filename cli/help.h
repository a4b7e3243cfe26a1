/* SPDX-License-Identifier: MIT */
/* cli/help.h: prints `help` and `list`. */
#ifndef CP_CLI_HELP_H
#define CP_CLI_HELP_H

#include "cli/cli.h"

/* Prints the help of a command; NULL: a list of all commands. */
int cp_help(struct cp_cli *, const char *topic);
int cp_list(const struct cp_cli *);

#endif
