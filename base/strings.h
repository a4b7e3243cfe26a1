/* SPDX-License-Identifier: MIT */
/*
 * base/strings.h: interned strings, and what is often done with a text.
 *
 * Same text, same id; id 0 is "".  Texts stay where they are until the table
 * is freed.
 */
#ifndef CP_BASE_STRINGS_H
#define CP_BASE_STRINGS_H

#include "base/vec.h"

struct cp_strings {
	struct cp_arena arena;
	CP_VEC(const char *) text; /* by id */
	CP_VEC(uint64_t) hash;     /* by id */
	uint32_t *slots;           /* ids, 0: empty */
	uint32_t mask;
};

cp_string_id cp_strings_add(struct cp_strings *, const char *);
cp_string_id cp_strings_addn(struct cp_strings *, const char *, size_t n);
const char *cp_strings_get(const struct cp_strings *, cp_string_id);
void cp_strings_free(struct cp_strings *);

/* What follows the last slash, or all of it. */
const char *cp_basename(const char *path);
/* Writes 2n hexadecimal digits and a NUL. */
void cp_hex_of(char *out, const uint8_t *, size_t n);
/* Reads an even number of digits; the number of bytes, 0 if they do not fit. */
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
