/* SPDX-License-Identifier: MIT */
/* cli/status.h: prints what happened and says with which status to exit. */
#ifndef CP_CLI_STATUS_H
#define CP_CLI_STATUS_H

#include "cli/cli.h"

int cp_cli_status(struct cp_cli *);

#endif
