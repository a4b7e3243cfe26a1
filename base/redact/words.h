/* SPDX-License-Identifier: MIT */
/* base/redact/words.h: words to be replaced wherever they stand. */
#ifndef CP_BASE_REDACT_WORDS_H
#define CP_BASE_REDACT_WORDS_H

#include "base/redact/state.h"
#include "base/base.h"

enum { CP_REDACT_TEXT = 1 << 20 };

/* Remembers the names of users in the text's paths, to replace them. */
void cp_redact_users(struct cp_redact *, const char *text, bool path);
/* Remembers a word to replace everywhere. */
void cp_redact_word(struct cp_redact *, const char *word, const char *instead,
    enum cp_redact_sought);
/* Remembers the name of a machine, also without its domain. */
void cp_redact_host(struct cp_redact *, const char *name);
/* Replaces users' names in paths, and all words to replace, in any text. */
const char *cp_redact_text(struct cp_redact *, const char *text);
/*
 * Replaces the words in the text.  users: first remembers the names of users in
 * its paths, and replaces those that are too short to be replaced elsewhere.
 * path: the text is one path.
 */
cp_string_id cp_redact_replaced(
    struct cp_redact *, const char *text, bool users, bool path);

/* find.c: finds a word where it is no part of a longer one. */

/* Finds the word from `from' on.  Case does not matter. */
const char *cp_find_word(
    const char *text, const char *from, const char *word, size_t n);

/* fold.c: upper and lower case of UTF-8, whatever the locale.  It knows Latin
 * with its marks, Greek, Cyrillic and Armenian.  A letter that is composed of
 * two characters is not the letter that is one. */

/*
 * Do n bytes of both differ in nothing but case?  Either may end earlier with a
 * NUL, if the other has none there.
 */
bool cp_same_letters(const char *, const char *, size_t n);

#endif
