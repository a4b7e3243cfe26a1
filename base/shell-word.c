/* SPDX-License-Identifier: MIT */
#include "base/shell-word.h"

#include <string.h>

/* Are all bytes such that no shell gives them a meaning? */
static bool
is_plain(const char *word)
{
	size_t n = strspn(word, CP_SHELL_PLAIN);

	return n != 0 && word[n] == '\0';
}

/* Returns the bytes of a character by its first. */
static size_t
char_len(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/*
 * Returns the bytes of the character at s if formats for people do not write it
 * as it is: it draws nothing, changes how others are drawn, or is no UTF-8.
 */
static size_t
hidden_len(const char *s)
{
	static const char *const begin[] = { "\xc2\xad", "\xd8\x9c",
		"\xe1\xa0\x8e", "\xe2\x80", "\xe2\x81", "\xef", "\xf3" };
	const unsigned char *c = (const unsigned char *)s;
	size_t n = char_len(*c);

	if (*c < 0x80)
		return *c < ' ' || *c == 0x7f;
	if (*c < 0xc2 || *c > 0xf4)
		return 1;
	for (size_t i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 1;
	if ((*c == 0xc2 && c[1] < 0xa0) || (*c == 0xe0 && c[1] < 0xa0) ||
	    (*c == 0xed && c[1] >= 0xa0) || (*c == 0xf0 && c[1] < 0x90))
		return n;
	for (size_t i = 0; i < CP_ARRAY_LEN(begin); i++)
		if (strncmp(s, begin[i], strlen(begin[i])) == 0)
			return n;
	return 0;
}

/* Writes $'...' in which those characters and \ and ' are octal numbers. */
static void
put_numbers(struct cp_buf *b, const char *word)
{
	cp_buf_str(b, "$'");
	while (*word != '\0') {
		size_t n = hidden_len(word);

		n = *word == '\'' || *word == '\\' ? 1 : n;
		if (n == 0) {
			cp_buf_add(b, word, char_len((unsigned char)*word));
			word += char_len((unsigned char)*word);
		}
		for (; n != 0; n--)
			cp_buf_printf(b, "\\%03o", (unsigned char)*word++);
	}
	cp_buf_char(b, '\'');
}

void
cp_shell_word(struct cp_buf *b, const char *word)
{
	bool hidden = false;

	if (is_plain(word)) {
		cp_buf_str(b, word);
		return;
	}
	for (const char *c = word; *c != '\0' && !hidden;
	     c += char_len((unsigned char)*c))
		hidden = hidden_len(c) != 0;
	if (hidden) {
		put_numbers(b, word);
		return;
	}
	cp_buf_char(b, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			cp_buf_str(b, "'\\''");
		else
			cp_buf_char(b, *word);
	cp_buf_char(b, '\'');
}
