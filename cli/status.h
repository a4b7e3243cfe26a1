/* SPDX-License-Identifier: MIT */
/* cli/status.h: prints the diagnostics and chooses the exit status. */
#ifndef CP_CLI_STATUS_H
#define CP_CLI_STATUS_H

#include "cli/cli.h"

int cp_cli_status(struct cp_cli *);

#endif
