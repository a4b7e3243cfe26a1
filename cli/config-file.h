/* SPDX-License-Identifier: MIT */
/* cli/config-file.h: reads options from the user's config file. */
#ifndef CP_CLI_CONFIG_FILE_H
#define CP_CLI_CONFIG_FILE_H

#include "cli/cli.h"

/* Returns the options of the user's config file for cli->command, as words. */
int cp_config_options(struct cp_cli *, cp_argv *) CP_MUST_USE;

#endif
