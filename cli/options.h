/* SPDX-License-Identifier: MIT */
/* cli/options.h: the tables that parsing and help share. */
#ifndef CP_CLI_OPTIONS_H
#define CP_CLI_OPTIONS_H

struct cp_common_option {
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* NULL: a switch */
	const char *help;
};

extern const struct cp_common_option cp_common_options[];
/* Options of a command that is no analysis; ends with a NULL name. */
const struct cp_common_option *cp_command_options(const char *command);

#endif
