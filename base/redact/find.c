/* SPDX-License-Identifier: MIT */
#include "base/redact/find.h"

#include <ctype.h>
#include <string.h>

#include "base/redact/fold.h"

static bool
in_word(char c)
{
	return isalnum((unsigned char)c);
}

/* Is the word there no part of a longer one? */
static bool
is_word(const char *text, const char *at, const char *word, size_t n)
{
	return (at == text || !in_word(at[-1]) || !in_word(*word)) &&
	       (!in_word(at[n]) || !in_word(word[n - 1]));
}

/*
 * Where a word with this first byte may begin; NULL: nowhere.  Both cases of a
 * letter may have different first bytes.
 */
static const char *
begin(const char *text, char first)
{
	const char both[] = { (char)tolower((unsigned char)first),
		(char)toupper((unsigned char)first), '\0' };

	if ((first & 0x80) == 0)
		return strpbrk(text, both);
	while (*text != '\0' && (*text & 0x80) == 0)
		text++;
	return *text != '\0' ? text : NULL;
}

const char *
cp_find_word(const char *text, const char *from, const char *word, size_t n)
{
	for (const char *at = begin(from, *word); at != NULL;
	     at = begin(at + 1, *word))
		if (cp_same_letters(at, word, n) && is_word(text, at, word, n))
			return at;
	return NULL;
}
