/* SPDX-License-Identifier: MIT */
/* cli/redact.h: --redact, from the policy to the account at the end. */
#ifndef CP_CLI_REDACT_H
#define CP_CLI_REDACT_H

#include "cli/cli.h"

/* Reads the policy, if there is one.  CP_FAIL after a diagnostic. */
int cp_cli_redact(struct cp_cli *) CP_MUST_USE;
/* Learns whose names the captures have. */
void cp_cli_redact_learn(const struct cp_cli *);
struct cp_report;

/* Replaces what the policy removes in all texts of the report. */
void cp_cli_redact_report(const struct cp_cli *, struct cp_report *);
/* Does so in a text, which is valid until the end. */
const char *cp_cli_redact_text(const struct cp_cli *, const char *);
/*
 * Searches a written file for removed names.  CP_FAIL after a diagnostic if it
 * contains any.
 */
int cp_cli_redact_search(struct cp_cli *, int fd) CP_MUST_USE;
/*
 * Prints the account of the redaction, if the command wrote something, and
 * frees it.
 */
void cp_cli_redact_end(struct cp_cli *, int status);

#endif
