/* SPDX-License-Identifier: MIT */
/* base/shell-word.h: words of a command line that is shown, to be pasted. */
#ifndef CP_BASE_SHELL_WORD_H
#define CP_BASE_SHELL_WORD_H

#include "base/buf.h"

/* Bytes that no shell gives a meaning. */
#define CP_SHELL_PLAIN                                                         \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"       \
	"_@%+=:,./-"

/*
 * Quotes a word for a shell.  Hidden characters are written as $'\012', which
 * sh of POSIX.1-2024, bash and zsh know.
 */
void cp_shell_word(struct cp_buf *, const char *word);

#endif
