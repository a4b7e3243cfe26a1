/* SPDX-License-Identifier: MIT */
/* cli/examples.h: two lines to paste for each command. */
#ifndef CP_CLI_EXAMPLES_H
#define CP_CLI_EXAMPLES_H

struct cp_example {
	const char *command;
	struct {
		const char *words, *what;
	} line[2];
};

/* Ends with a NULL command. */
extern const struct cp_example cp_examples[];
/* Prints the examples of a command; NULL: all. */
void cp_examples_print(const char *command);

#endif
