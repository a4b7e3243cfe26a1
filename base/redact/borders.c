/* SPDX-License-Identifier: MIT */
#include "base/redact/borders.h"

#include <ctype.h>

#include "base/bytes.h"

enum {
	MAX_NAME = 1 << 16, /* of a mangled name that is looked at */
	MAX_IDENTIFIER = 1 << 10,
	MAX_SIZED = 1 << 12, /* of a text with its size */
	MAX_LENGTH = 1000000 /* of an identifier, as written in the name */
};

static bool
in_word(char c)
{
	return isalnum((unsigned char)c);
}

/* May the byte stand in a mangled name? */
static bool
in_name(char c)
{
	return in_word(c) || c == '_' || c == '$' || c == '.' ||
	       (c & 0x80) != 0;
}

/* Marks of C++ and Rust, Rust, D and Swift; a prefix may stand before them. */
static bool
is_mark(const char *p)
{
	return (p[0] == '_' && (p[1] == 'Z' || p[1] == 'R' || p[1] == 'D')) ||
	       (p[0] == '$' && (p[1] == 's' || p[1] == 'S'));
}

/* Does a mangled name begin before the place, and go on to it? */
static bool
is_mangled(const char *text, size_t at)
{
	size_t least = at > MAX_NAME ? at - MAX_NAME : 0;

	for (size_t i = at; i > least && in_name(text[i - 1]); i--)
		if (i >= 2 && is_mark(text + i - 2))
			return true;
	return false;
}

/* Is n, in decimal, written before the place?  Rust may have a "_" between. */
static bool
counted(const char *text, size_t at, size_t n)
{
	if (at > 0 && text[at - 1] == '_')
		at--;
	for (; n != 0; n /= 10, at--)
		if (at == 0 || (size_t)(text[at - 1] - '0') != n % 10)
			return false;
	return true;
}

/*
 * Where digits stand before these of the length, as in 3ab17zebrasy, some of
 * them are the length's.
 */
bool
cp_word_begins(const char *text, size_t n, size_t at, size_t k)
{
	size_t length = 0, digit = 1;

	if (at == 0 || !in_word(text[at - 1]))
		return true;
	for (size_t i = at; i > 0 && digit <= MAX_LENGTH; i--, digit *= 10) {
		char c = text[i - 1];

		if (c < '0' || c > '9')
			break;
		length += (size_t)(c - '0') * digit;
		if (c != '0' && length >= k && length <= n - at)
			return is_mangled(text, i - 1);
	}
	return false;
}

bool
cp_word_ends(const char *text, size_t n, size_t at, size_t k)
{
	size_t end = at + k;

	if (end == n || !in_word(text[end]))
		return true;
	for (size_t from = at; at - from < MAX_IDENTIFIER; from--) {
		if (counted(text, from, end - from))
			return is_mangled(text, from);
		if (from == 0 || !in_name(text[from - 1]))
			break;
	}
	return false;
}

bool
cp_word_ends_sized(const char *text, size_t at, size_t k)
{
	uint32_t size;

	for (size_t from = at; from >= sizeof(size) && at - from < MAX_SIZED;
	     from--) {
		size = cp_load32((const uint8_t *)text + from - 4, false);
		if (size == at + k - from)
			return true;
	}
	return false;
}
