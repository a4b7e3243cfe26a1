/* SPDX-License-Identifier: MIT */
/* cli/redact.h: --redact, from the policy to the account at the end. */
#ifndef CP_CLI_REDACT_H
#define CP_CLI_REDACT_H

#include "cli/cli.h"

/* Reads the policy, if there is one.  CP_FAIL after a diagnostic. */
int cp_cli_redact(struct cp_cli *) CP_MUST_USE;
/* Says what is left, if the command wrote something, and frees it. */
void cp_cli_redact_end(struct cp_cli *, int status);

#endif
