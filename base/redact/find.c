/* SPDX-License-Identifier: MIT */
#include "base/redact/words.h"

#include <ctype.h>
#include <string.h>

#include "base/redact/borders.h"

/*
 * Is the word there no part of a longer one?  What is no letter and no digit is
 * a border itself.
 */
static bool
is_word(
    const char *text, size_t size, const char *at, const char *word, size_t n)
{
	size_t i = (size_t)(at - text);

	return (!isalnum((unsigned char)word[0]) ||
		   cp_word_begins(text, size, i, n)) &&
	       (!isalnum((unsigned char)word[n - 1]) ||
		   cp_word_ends(text, size, i, n));
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
	size_t size = strlen(text);

	for (const char *at = begin(from, *word); at != NULL;
	     at = begin(at + 1, *word))
		if (cp_same_letters(at, word, n) &&
		    is_word(text, size, at, word, n))
			return at;
	return NULL;
}
