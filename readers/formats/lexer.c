/* SPDX-License-Identifier: MIT */
/*
 * lexer: words, numbers, strings, signs and types of C expressions as print
 * formats have them.
 */
#include "readers/formats/expr.h"

#include "base/base.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_';
}

/* Reads the number at s; returns its end, or NULL. */
static const char *
number_end(const char *s, uint64_t *out)
{
	unsigned base = 10;
	const char *start;
	uint64_t v = 0;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	} else if (s[0] == '0') {
		base = 8;
	}
	for (start = s;; s++) {
		unsigned d = is_digit(*s) ? (unsigned)(*s - '0')
			     : (*s | 32) >= 'a' && (*s | 32) <= 'f'
				 ? (unsigned)((*s | 32) - 'a' + 10)
				 : 16;

		if (d >= base)
			break;
		v = v * base + d;
	}
	if (s == start)
		return NULL;
	s += strspn(s, "uUlL");
	*out = v;
	return is_word(*s) ? NULL : s;
}

static const char *
string_end(const char *s)
{
	for (s++; *s != '"'; s++) {
		if (*s == '\\')
			s++;
		if (*s == '\0')
			return NULL;
	}
	return s + 1;
}

/* 'a', '\n' */
static const char *
char_end(const char *s, uint64_t *out)
{
	s++;
	*out = (unsigned char)*s;
	if (*s == '\\') {
		s++;
		*out = *s == 'n' ? '\n' : *s == 't' ? '\t' : *s == '0' ? 0 : *s;
	}
	return s[0] != '\0' && s[1] == '\'' ? s + 2 : NULL;
}

static size_t
sign_len(const char *s)
{
	static const char two[][3] = { "->", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||" };

	for (size_t i = 0; i < CP_ARRAY_LEN(two); i++)
		if (s[0] == two[i][0] && s[1] == two[i][1])
			return 2;
	return 1;
}

struct cp_token
cp_token_next(const char **at)
{
	const char *s = *at + strspn(*at, " \t\r\n"), *end = s;
	struct cp_token t = { .text = s };

	if (*s == '\0') {
		t.kind = CP_TOKEN_END;
	} else if (is_digit(*s)) {
		t.kind = CP_TOKEN_NUMBER;
		end = number_end(s, &t.number);
	} else if (is_word(*s)) {
		t.kind = CP_TOKEN_WORD;
		while (is_word(*end))
			end++;
	} else if (*s == '"') {
		t.kind = CP_TOKEN_STRING;
		end = string_end(s);
	} else if (*s == '\'') {
		t.kind = CP_TOKEN_NUMBER;
		end = char_end(s, &t.number);
	} else {
		t.kind = CP_TOKEN_SIGN;
		end = s + sign_len(s);
		t.number = (unsigned char)s[0];
		if (end == s + 2)
			t.number |= (uint64_t)(unsigned char)s[1] << 8;
	}
	if (end == NULL) {
		t.kind = CP_TOKEN_BAD;
		end = s + strlen(s);
	}
	t.len = (size_t)(end - s);
	*at = end;
	return t;
}

bool
cp_token_is(const struct cp_token *t, const char *word)
{
	return t->kind == CP_TOKEN_WORD && strlen(word) == t->len &&
	       memcmp(word, t->text, t->len) == 0;
}

static char
escaped(char c)
{
	switch (c) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'r': return '\r';
	default: return c;
	}
}

const char *
cp_token_string(const struct cp_token *first, const char **at,
    struct cp_arena *arena, uint32_t *len)
{
	const char *end = *at, *p;
	size_t size = first->len, n = 0;
	struct cp_token t = *first;
	char *out;

	for (p = *at; cp_token_next(&p).kind == CP_TOKEN_STRING;)
		end = p;
	size += (size_t)(end - *at);
	out = cp_arena_alloc(arena, size + 1);
	for (;;) {
		for (size_t i = 1; i + 1 < t.len; i++) {
			if (t.text[i] == '\\')
				out[n++] = escaped(t.text[++i]);
			else
				out[n++] = t.text[i];
		}
		if (*at == end)
			break;
		t = cp_token_next(at);
	}
	*len = (uint32_t)n;
	return out;
}

/* ------------------------------------------------------------------ types */

/* size 9: of a long; 0: says nothing of the size */
static const struct {
	const char *word;
	uint8_t size;
	int8_t sign; /* 1: signed, -1: unsigned */
} type_words[] = { { "char", 1, 1 }, { "short", 2, 1 }, { "int", 4, 0 },
	{ "long", 9, 1 }, { "unsigned", 4, -1 }, { "signed", 4, 1 },
	{ "u8", 1, -1 }, { "u16", 2, -1 }, { "u32", 4, -1 }, { "u64", 8, -1 },
	{ "s8", 1, 1 }, { "s16", 2, 1 }, { "s32", 4, 1 }, { "s64", 8, 1 },
	{ "__u8", 1, -1 }, { "__u16", 2, -1 }, { "__u32", 4, -1 },
	{ "__u64", 8, -1 }, { "__s8", 1, 1 }, { "__s16", 2, 1 },
	{ "__s32", 4, 1 }, { "__s64", 8, 1 }, { "uint8_t", 1, -1 },
	{ "uint16_t", 2, -1 }, { "uint32_t", 4, -1 }, { "uint64_t", 8, -1 },
	{ "int8_t", 1, 1 }, { "int16_t", 2, 1 }, { "int32_t", 4, 1 },
	{ "int64_t", 8, 1 }, { "__le16", 2, -1 }, { "__le32", 4, -1 },
	{ "__le64", 8, -1 }, { "__be16", 2, -1 }, { "__be32", 4, -1 },
	{ "__be64", 8, -1 }, { "bool", 1, -1 }, { "_Bool", 1, -1 },
	{ "size_t", 9, -1 }, { "ssize_t", 9, 1 }, { "pid_t", 4, 1 },
	{ "dev_t", 4, -1 }, { "gfp_t", 4, -1 }, { "sector_t", 8, -1 },
	{ "loff_t", 8, 1 }, { "ino_t", 9, -1 }, { "umode_t", 2, -1 },
	{ "const", 0, 0 }, { "void", 0, 0 }, { "struct", 0, 0 },
	{ "enum", 4, 0 }, { "union", 0, 0 }, { "volatile", 0, 0 } };

static bool
add_type_word(const struct cp_token *t, uint8_t long_size, struct cp_c_type *y)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(type_words); i++) {
		uint8_t size = type_words[i].size;

		if (!cp_token_is(t, type_words[i].word))
			continue;
		if (size == 9)
			size = y->longs++ != 0 ? 8 : long_size;
		/* "unsigned char": the word after decides the size. */
		if (size != 0 && !(size == 4 && y->size != 0))
			y->size = size;
		if (type_words[i].sign < 0)
			y->is_signed = false;
		return true;
	}
	return false;
}

bool
cp_c_type_read(const char **at, uint8_t long_size, struct cp_c_type *y)
{
	bool named = false, tag = false;
	size_t words = 0;

	*y = (struct cp_c_type){ .is_signed = true, .known = true };
	for (const char *p = *at;; *at = p) {
		struct cp_token t = cp_token_next(&p);

		if (t.kind == CP_TOKEN_SIGN && t.number == '*' && words != 0) {
			y->pointer = true;
			continue;
		}
		if (t.kind != CP_TOKEN_WORD || y->pointer ||
		    cp_token_is(&t, "REC"))
			break;
		if (add_type_word(&t, long_size, y)) {
			tag |= cp_token_is(&t, "struct") ||
			       cp_token_is(&t, "enum") ||
			       cp_token_is(&t, "union");
		} else {
			if (named)
				return false;
			named = true;
			y->known = tag;
		}
		words++;
	}
	return words != 0;
}
