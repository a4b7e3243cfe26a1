/* SPDX-License-Identifier: MIT */
/*
 * run/choice.h: the words of one option that chooses by name (--comm,
 * --symbol ...), and what fitted them.
 *
 * Names are asked for by a dense number that the caller has for them, and
 * compared once.
 */
#ifndef CP_RUN_CHOICE_H
#define CP_RUN_CHOICE_H

#include "base/match/pattern.h"
#include "base/vec.h"

struct cp_word_of_choice {
	struct cp_pattern pattern;
	bool hit; /* a name fitted */
};

enum { CP_UNASKED, CP_REFUSED, CP_CHOSEN };

struct cp_choice {
	CP_VEC(struct cp_word_of_choice) words; /* none: all pass */
	CP_VEC(uint8_t) asked;                  /* by number */
};

/* CP_FAIL: *bad is the word that is no regular expression. */
int cp_choice_init(struct cp_choice *, const char *const *words, size_t n,
    const char **bad) CP_MUST_USE;
void cp_choice_free(struct cp_choice *);

/* What was answered about a number before. */
static inline unsigned
cp_choice_of(const struct cp_choice *c, uint32_t number)
{
	return number < c->asked.len ? c->asked.data[number] : CP_UNASKED;
}
/* Whether one of the names, of which b may be NULL, fits. */
bool cp_choice_names(
    struct cp_choice *, uint32_t number, const char *a, const char *b);
/* The same of a symbol. */
bool cp_choice_symbol(struct cp_choice *, uint32_t number, const char *name);
/* Notes an answer that was found by other means. */
void cp_choice_answer(struct cp_choice *, uint32_t number, bool chosen);
/* Whether any name fitted. */
bool cp_choice_hit(const struct cp_choice *);

#endif
