/* SPDX-License-Identifier: MIT */
/*
 * stem: what a function's name has in common with those of its copies.
 *
 * Compilers number closures and copies of a function, so that a name is another
 * one after a change elsewhere.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* Endings, and all behind them: outlined parts, copies, and hashes. */
static const char *const ending[] = { "._omp_fn.", ".omp_outlined", ".outlined",
	"_OUTLINED_FUNCTION_", ".warm", ".resume", ".destroy", ".cleanup",
	".actor", ".localalias", ".default.", ".arch_", ".avx", ".sse",
	".constprop", ".isra", ".part", ".cold", "-fm", ".gowrap" };
/* Parts that say nothing. */
static const char *const nothing[] = { "(anonymous namespace)::",
	"{anonymous}::", "_GLOBAL__N_1::", "[abi:cxx11]" };
/* Numbers follow these. */
static const char *const numbered[] = { "#", "'lambda", "{lambda", "$_",
	".func", "{closure", "__lambda" };

static size_t
begins(const char *s, const char *const *with, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(s, with[i], strlen(with[i])) == 0)
			return strlen(with[i]);
	return 0;
}

#define BEGINS(s, with) begins((s), (with), sizeof(with) / sizeof((with)[0]))

/* True for the hash that Rust adds: "::h" and 16 hexadecimal digits. */
static bool
is_hash(const char *s)
{
	return strncmp(s, "::h", 3) == 0 &&
	       strspn(s + 3, "0123456789abcdef") == 16 && s[19] == '\0';
}

void
cp_diff_stem(const char *name, char *out, size_t room)
{
	size_t n = 0;

	for (const char *s = name; *s != '\0' && n + 20 < room;) {
		size_t len = BEGINS(s, nothing);

		if (len != 0) {
			s += len;
			continue;
		}
		if (n != 0 && (BEGINS(s, ending) != 0 || is_hash(s)))
			break;
		len = BEGINS(s, numbered);
		memcpy(out + n, s, len != 0 ? len : 1);
		n += len != 0 ? len : 1;
		s += len != 0 ? len : 1;
		while (len != 0 &&
		       (isdigit((unsigned char)*s) ||
			   (*s == '.' && isdigit((unsigned char)s[1]))))
			s++;
	}
	out[n] = '\0';
}

/* Writes a name without what is in <> and (). */
static bool
without_arguments(const char *name, char *out, size_t room)
{
	size_t depth = 0, n = 0;

	if (name[0] == '<' || name[0] == '(' || strstr(name, "operator"))
		return false;
	for (; *name != '\0' && n + 1 < room; name++) {
		if (*name == '<' || *name == '(')
			depth++;
		else if (depth == 0)
			out[n++] = *name;
		else if (*name == '>' || *name == ')')
			depth--;
	}
	out[n] = '\0';
	return n != 0 && *name == '\0' && depth == 0;
}

bool
cp_diff_same_template(const char *x, const char *y)
{
	char a[1024], b[1024];

	return without_arguments(x, a, sizeof(a)) &&
	       without_arguments(y, b, sizeof(b)) && strcmp(a, b) == 0;
}
