/* SPDX-License-Identifier: MIT */
/* cli/plugin.h: plug-ins, and one search over them and built-in analyses. */
#ifndef CP_CLI_PLUGIN_H
#define CP_CLI_PLUGIN_H

#include "cli/cli.h"

/* Takes --plugin FILE out of the words and loads it. */
int cp_plugins_given(struct cp_cli *, int *argc, char **argv) CP_MUST_USE;
/* Loads the plug-ins in $COLDPERF_PLUGIN_PATH; skips other files. */
void cp_plugins_find(struct cp_cli *);
/* The analysis of that name, or NULL. */
const struct cp_analysis *cp_cli_analysis(
    const struct cp_cli *, const char *name);

#endif
