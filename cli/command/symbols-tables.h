/* SPDX-License-Identifier: MIT */
/* cli/command/symbols-tables.h: what the report of `symbols` says of files. */
#ifndef CP_CLI_COMMAND_SYMBOLS_TABLES_H
#define CP_CLI_COMMAND_SYMBOLS_TABLES_H

#include "cli/command/symbols-fetch.h"
#include "report/report.h"

/* Marks what servers did not have lately, and tells the state of all. */
void cp_wanted_states(struct cp_run *, struct cp_wanted *, size_t n);
/* Adds what is missing, in this order. */
void cp_wanted_table(struct cp_report *, const struct cp_wanted *, size_t n);
/* Adds the results of those that servers were asked for. */
void cp_fetched_table(struct cp_report *, const struct cp_wanted *, size_t n);

#endif
