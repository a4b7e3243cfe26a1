/* SPDX-License-Identifier: MIT */
/*
 * run/choice.h: the words of an option that selects by name (--comm, --symbol
 * ...), and which of these words matched.  The caller numbers the names; the
 * answer for a number is kept, so each name is compared once.
 */
#ifndef CP_RUN_CHOICE_H
#define CP_RUN_CHOICE_H

#include "base/match/pattern.h"
#include "base/vec.h"

struct cp_run;
struct cp_symbol;

struct cp_word_of_choice {
	struct cp_pattern pattern;
	bool hit; /* some name matched the word */
};

enum { CP_UNASKED, CP_REFUSED, CP_CHOSEN };

struct cp_choice {
	CP_VEC(struct cp_word_of_choice) words; /* empty: every name passes */
	CP_VEC(uint8_t) asked;                  /* the answers, by number */
};

/*
 * Compiles the words.  CP_FAIL: *bad is the word that is no regular expression.
 */
int cp_choice_init(struct cp_choice *, const char *const *words, size_t n,
    const char **bad) CP_MUST_USE;
void cp_choice_free(struct cp_choice *);

/* Returns the answer for a number, or CP_UNASKED. */
static inline unsigned
cp_choice_of(const struct cp_choice *c, uint32_t number)
{
	return number < c->asked.len ? c->asked.data[number] : CP_UNASKED;
}
/* Does one of its names match? */
bool cp_choice_names(
    struct cp_choice *, uint32_t number, const char *const *names, size_t n);
bool cp_choice_name(struct cp_choice *, uint32_t number, const char *name);
/* Does a symbol match, by its id?  NULL: code without a name. */
bool cp_choice_symbol(
    struct cp_run *, struct cp_choice *, const struct cp_symbol *);
/* Stores an answer that the caller found. */
void cp_choice_answer(struct cp_choice *, uint32_t number, bool chosen);
/* Has a word that text in it? */
bool cp_choice_has(const struct cp_choice *, const char *part);
/* Has any name matched? */
bool cp_choice_hit(const struct cp_choice *);

#endif
