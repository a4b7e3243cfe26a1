/* SPDX-License-Identifier: MIT */
/* base/redact/words.h: words to be replaced wherever they stand. */
#ifndef CP_BASE_REDACT_WORDS_H
#define CP_BASE_REDACT_WORDS_H

#include "base/redact/state.h"

enum { CP_REDACT_TEXT = 1 << 20 };

/* Remembers users' names in paths, and a word to replace everywhere. */
void cp_redact_users(struct cp_redact *, const char *text, bool path);
void cp_redact_word(struct cp_redact *, const char *word, const char *instead,
    enum cp_redact_sought);
/* Remembers the name of a machine, also without its domain. */
void cp_redact_host(struct cp_redact *, const char *name);
/* Any text: users' names in paths and words to be replaced are. */
const char *cp_redact_text(struct cp_redact *, const char *text);
/*
 * The text with its words replaced, and with those of users whose names are
 * too short for that in paths: with `users' these are learned first.  It is one
 * path if `path'.
 */
cp_string_id cp_redact_replaced(
    struct cp_redact *, const char *text, bool users, bool path);

#endif
