/* SPDX-License-Identifier: MIT */
/* cli/suggest.h: suggests a word for an unknown one. */
#ifndef CP_CLI_SUGGEST_H
#define CP_CLI_SUGGEST_H

#include "cli/cli.h"

/* "; did you mean flame?", or "". */
struct cp_suggestion {
	char text[120];
};
struct cp_suggestion cp_suggest_command(const struct cp_cli *, const char *);
/* An option of the command, typed without its dashes, n bytes. */
struct cp_suggestion cp_suggest_option(
    const struct cp_cli *, const char *, size_t n);
/* A value; words end with NULL. */
struct cp_suggestion cp_suggest_value(const char *, const char *const *words);

#endif
