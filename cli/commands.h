/* SPDX-License-Identifier: MIT */
/*
 * cli/commands.h: the commands that are no analyses, and the options that
 * are not an analysis' own.
 */
#ifndef CP_CLI_COMMANDS_H
#define CP_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

struct cp_common_option {
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* NULL: a switch */
	const char *help;
};

struct cp_command {
	const char *name, *summary;
	const struct cp_common_option *options; /* NULL: none of its own */
};

/* Options of all commands; ends with a NULL name. */
extern const struct cp_common_option cp_common_options[];

/* The title of the group that begins with this common option, or NULL. */
const char *cp_option_group(const char *first);
/* Whether a common option does something for the command. */
bool cp_option_serves(const char *command, const char *option);
/* The values that an option takes, NULL at the end; NULL: any. */
const char *const *cp_option_values(const char *option);

/* All commands; ends with a NULL name. */
const struct cp_command *cp_commands(void);
/* NULL: it may be an analysis. */
const struct cp_command *cp_command_find(const char *name);
/*
 * The option of that letter, or where name is not NULL of that name, which
 * has n bytes.  Options may be NULL.
 */
const struct cp_common_option *cp_common_option_find(
    const struct cp_common_option *options, char letter, const char *name,
    size_t n);

#endif
