/* SPDX-License-Identifier: MIT */
/* cli/plugin.h: analyses that are loaded, and those that are built in. */
#ifndef CP_CLI_PLUGIN_H
#define CP_CLI_PLUGIN_H

#include "cli/cli.h"

/* Takes --plugin FILE out of the words and loads it. */
int cp_plugins_given(struct cp_cli *, int *argc, char **argv) CP_MUST_USE;
/* Loads what lies in $COLDPERF_PLUGIN_PATH; what is unfit is skipped. */
void cp_plugins_find(struct cp_cli *);
/* The analysis of that name, or NULL. */
const struct cp_analysis *cp_cli_analysis(
    const struct cp_cli *, const char *name);

#endif
