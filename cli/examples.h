/* SPDX-License-Identifier: MIT */
/* cli/examples.h: two lines to paste for each command. */
#ifndef CP_CLI_EXAMPLES_H
#define CP_CLI_EXAMPLES_H

/* Prints the examples of a command; NULL: all. */
void cp_examples_print(const char *command);

#endif
