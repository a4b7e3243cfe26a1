/* SPDX-License-Identifier: MIT */
/* cli/status.h: prints the diagnostics and chooses the exit status. */
#ifndef CP_CLI_STATUS_H
#define CP_CLI_STATUS_H

#include "cli/cli.h"

int cp_cli_status(struct cp_cli *);
/* Adds what was said so far, a line each, notes too. */
void cp_cli_diagnostics(const struct cp_cli *, struct cp_buf *);

#endif
