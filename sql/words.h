/* SPDX-License-Identifier: MIT */
/* sql/words.h: the words in tables for enum values of a profile. */
#ifndef CP_SQL_WORDS_H
#define CP_SQL_WORDS_H

#include <stdint.h>

/* Each returns NULL for an unknown value. */
const char *cp_sql_kind(uint8_t kind);
const char *cp_sql_level(uint8_t level);
/* Why the unwinding of a stack ended; NULL: nothing was unwound. */
const char *cp_sql_end(uint8_t end);
const char *cp_sql_mark(uint8_t kind);
const char *cp_sql_tone(uint8_t tone);
/* Returns how a frame was guessed, from its flags; NULL: it was not. */
const char *cp_sql_guess(uint8_t flags);

#endif
