/* SPDX-License-Identifier: MIT */
/*
 * cli/command-line.h: the words of the command line, before they are parsed.
 */
#ifndef CP_CLI_COMMAND_LINE_H
#define CP_CLI_COMMAND_LINE_H

#include "cli/cli.h"

/*
 * Completes the words: `report' if the first word is a capture or an option,
 * our command for perf's, and options of the config file and of
 * $COLDPERF_OPTIONS before those typed.  CP_FAIL after a diagnostic.
 */
int cp_command_line(
    struct cp_cli *, cp_argv *, int argc, char **argv) CP_MUST_USE;
#endif
