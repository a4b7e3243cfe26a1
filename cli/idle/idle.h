/* SPDX-License-Identifier: MIT */
/*
 * cli/idle/idle.h: warns of options that have no effect on what was asked.
 *
 * Whoever types an option takes the output for what it asks.  An option that
 * only forbids, as --no-local, is content with what never happens, and options
 * of the defaults are meant for other commands.
 */
#ifndef CP_CLI_IDLE_IDLE_H
#define CP_CLI_IDLE_IDLE_H

#include "cli/cli.h"

/* Keeps an option that was typed. */
void cp_cli_said(struct cp_cli *, const char *option);
/* What can be told by the command line alone. */
void cp_cli_idle(struct cp_cli *);
/* What can be told when the formats of a report are known. */
void cp_cli_idle_formats(struct cp_cli *, const cp_report_outputs *);
/* What can be told when it is known what analyses want: CP_WANT bits. */
void cp_cli_idle_wants(struct cp_cli *, uint32_t wants);

#endif
