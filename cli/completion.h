/* SPDX-License-Identifier: MIT */
/*
 * cli/completion.h: completion scripts for shells, made of the tables of
 * commands and options.
 */
#ifndef CP_CLI_COMPLETION_H
#define CP_CLI_COMPLETION_H

#include <stdbool.h>

/* Writes the script for bash, zsh or fish; false: another shell. */
bool cp_completion_print(const char *shell);

#endif
