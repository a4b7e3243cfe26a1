/* SPDX-License-Identifier: MIT */
/* cli/options.h: parses argv into struct cp_cli. */
#ifndef CP_CLI_OPTIONS_H
#define CP_CLI_OPTIONS_H

#include "cli/cli.h"

/*
 * Parses the command line.  CP_FAIL after a diagnostic; if help was asked for,
 * sets cli->help.
 */
int cp_cli_parse(struct cp_cli *, int argc, char **argv) CP_MUST_USE;
void cp_cli_free(struct cp_cli *);

#endif
