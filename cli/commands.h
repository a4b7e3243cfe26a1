/* SPDX-License-Identifier: MIT */
/*
 * cli/commands.h: the commands other than analyses, and the options shared by
 * several commands.
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

/* The options of all commands; ends with a NULL name. */
extern const struct cp_common_option cp_common_options[];

/*
 * Returns the title of the group that begins with this common option, or NULL.
 */
const char *cp_option_group(const char *first);
/* Is the word in the list, which ends with NULL? */
bool cp_is_one_of(const char *word, const char *const *words);
/* True if it is one of the filters: it chooses samples. */
bool cp_option_chooses(const char *option);
/* True if a common option has an effect on the command. */
bool cp_option_serves(const char *command, const char *option);
/* Returns the values of an option, ending with NULL; NULL: any value. */
const char *const *cp_option_values(const char *option);

/* All commands; ends with a NULL name. */
const struct cp_command *cp_commands(void);
/* Returns NULL if it is no command; it may be an analysis. */
const struct cp_command *cp_command_find(const char *name);
/*
 * Finds an option by its letter, or if name is not NULL by its first n bytes.
 * Options may be NULL.
 */
const struct cp_common_option *cp_common_option_find(
    const struct cp_common_option *options, char letter, const char *name,
    size_t n);

#endif
