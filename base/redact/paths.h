/* SPDX-License-Identifier: MIT */
/* base/redact/paths.h: users' names in the paths that a text has. */
#ifndef CP_BASE_REDACT_PATHS_H
#define CP_BASE_REDACT_PATHS_H

#include "base/base.h"

/*
 * Finds the next name of a user's folder in the text: the name after /home/,
 * /Users/ and similar folders.  Returns its length; 0: there is none.  path:
 * the text is one path, so the name of a folder may have spaces.
 */
size_t cp_path_user(const char *text, bool path, const char **user);
/*
 * Finds the next place at which the word stands by itself, not as a part of a
 * longer word.
 */
const char *cp_find_word(const char *text, const char *word, size_t n);

#endif
