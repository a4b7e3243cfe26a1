/* SPDX-License-Identifier: MIT */
/*
 * mkperf: the arguments of a statement: key=value words and plain words.
 *
 * Every word is used or the statement is wrong: a misspelt key must not make
 * a test case say something else than it means.
 */
#include <ctype.h>

#include "mkperf.h"

/* Length of the key in key=value, 0 for a plain word. */
static size_t
key_length(const char *w)
{
	size_t n = 0;

	while (isalnum((unsigned char)w[n]) || w[n] == '_' || w[n] == '.')
		n++;
	return w[n] == '=' && !isdigit((unsigned char)w[0]) ? n : 0;
}

const char *
mk_key(struct mk *mk, const char *key)
{
	for (size_t i = 1; i < mk->now->words; i++) {
		const char *w = mk->now->word[i];
		size_t n = key_length(w);

		if (n == 0 || strlen(key) != n || strncmp(w, key, n) != 0)
			continue;
		mk->used[i] = true;
		return w + n + 1;
	}
	return NULL;
}

const char *
mk_next(struct mk *mk)
{
	for (size_t i = 1; i < mk->now->words; i++) {
		if (mk->used[i] || key_length(mk->now->word[i]) != 0)
			continue;
		mk->used[i] = true;
		return mk->now->word[i];
	}
	return NULL;
}

const char *
mk_need(struct mk *mk, const char *what)
{
	const char *w = mk_next(mk);

	if (w == NULL)
		mk_die(mk, "%s: %s is missing", mk->now->word[0], what);
	return w;
}

size_t
mk_rest(const struct mk *mk)
{
	size_t n = 0;

	for (size_t i = 1; i < mk->now->words; i++)
		n += !mk->used[i] && key_length(mk->now->word[i]) == 0;
	return n;
}

uint64_t
mk_num(struct mk *mk, const char *key, uint64_t fallback)
{
	const char *v = mk_key(mk, key);

	return v != NULL ? mk_expr(mk, v, strlen(v)) : fallback;
}

void
mk_all_used(const struct mk *mk)
{
	for (size_t i = 0; i < mk->now->words; i++)
		if (!mk->used[i])
			mk_die(mk, "%s: what is %s?", mk->now->word[0],
			    mk->now->word[i]);
}

static uint64_t
bit_of(struct mk *mk, const char *s, size_t n, const char *const *names,
    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (names[i] != NULL && strlen(names[i]) == n &&
		    strncmp(names[i], s, n) == 0)
			return UINT64_C(1) << i;
	return mk_expr(mk, s, n);
}

/* A|B|0x10: names of bits and numbers. */
uint64_t
mk_bits(struct mk *mk, const char *s, const char *const *names, size_t count)
{
	uint64_t v = 0;

	while (*s != '\0') {
		size_t n = strcspn(s, "|");

		v |= bit_of(mk, s, n, names, count);
		s += n;
		s += *s == '|';
	}
	return v;
}
