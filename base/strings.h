/* SPDX-License-Identifier: MIT */
/*
 * base/strings.h: a table of interned strings, and string helpers.
 *
 * Equal strings have the same id; id 0 is "".  Strings keep their address until
 * the table is freed.
 */
#ifndef CP_BASE_STRINGS_H
#define CP_BASE_STRINGS_H

#include "base/vec.h"

struct cp_strings {
	struct cp_arena arena;
	CP_VEC(const char *) text; /* indexed by id */
	CP_VEC(uint64_t) hash;     /* indexed by id */
	uint32_t *slots;           /* ids; 0: empty slot */
	uint32_t mask;
};

cp_string_id cp_strings_add(struct cp_strings *, const char *);
cp_string_id cp_strings_addn(struct cp_strings *, const char *, size_t n);
const char *cp_strings_get(const struct cp_strings *, cp_string_id);
void cp_strings_free(struct cp_strings *);

/* Returns the part after the last slash, or the whole path. */
const char *cp_basename(const char *path);
/* Cuts blanks at both ends, in place; returns the new beginning. */
char *cp_trim(char *);
/* Writes 2n hexadecimal digits and a NUL. */
void cp_hex_of(char *out, const uint8_t *, size_t n);
/*
 * Reads pairs of hexadecimal digits.  Returns the number of bytes; 0: too many.
 */
size_t cp_hex_read(const char *digits, size_t n, uint8_t *out, size_t max);
/* The value of a hexadecimal digit, or -1. */
static inline int
cp_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
