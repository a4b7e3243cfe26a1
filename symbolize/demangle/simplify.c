/* SPDX-License-Identifier: MIT */
#include "symbolize/demangle/simplify.h"

#include <ctype.h>

#define ANONYMOUS "(anonymous namespace)"

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/*
 * Length of a comparison or shift at s, in arguments that begin at `from': an
 * operand before it stands in parentheses, as in B<(1)<(2)>.
 */
static size_t
comparison_length(const char *from, const char *s)
{
	static const char call[] = "operator()";
	size_t n = strlen(call);

	if (s == from || s[-1] != ')' ||
	    ((size_t)(s - from) > n && memcmp(s - n, call, n) == 0))
		return 0;
	/* Two brackets that close have a blank between them. */
	if (strncmp(s, ">=", 2) == 0 || strncmp(s, ">>(", 3) == 0)
		return 2;
	return strspn(s, "<=");
}

/*
 * Returns the position after the bracket that closes the one at s, or the end.
 * In parentheses, and in texts that D has as arguments, < is a comparison.
 */
static const char *
skip_brackets(const char *s)
{
	char open = *s, close = open == '<' ? '>' : ')';
	size_t depth = 0, round = 0, n;
	const char *from = s;

	for (; *s != '\0'; s++) {
		const char *quote = *s == '"' ? strchr(s + 1, '"') : NULL;

		s = quote != NULL ? quote : s;
		if (open == '<' && *s == '(')
			round++;
		else if (open == '<' && *s == ')' && round != 0)
			round--;
		/* "->" occurs in types of function pointers in Rust. */
		else if (round != 0 || (*s == '>' && s[-1] == '-'))
			continue;
		else if (open == '<' && (n = comparison_length(from, s)) != 0)
			s += n - 1;
		else if (*s == open)
			depth++;
		else if (*s == close && --depth == 0)
			return s + 1;
	}
	return s;
}

/* Length of "operator" and its symbol at s; 0: none. */
static size_t
operator_length(const char *s)
{
	size_t n = strlen("operator");

	if (strncmp(s, "operator", n) != 0 || is_word(s[n]))
		return 0;
	if (strncmp(s + n, "()", 2) == 0)
		return n + 2;
	return n + strspn(s + n, "<>=-!+*/%^&|~,[]");
}

/* Length of {...}, which identifies a lambda and is copied unchanged. */
static size_t
braces_length(const char *s)
{
	size_t depth = 0, i = 0;

	for (; s[i] != '\0'; i++) {
		depth += s[i] == '{';
		if (s[i] == '}' && --depth == 0)
			return i + 1;
	}
	return i;
}

static bool
opens_arguments(const char *name, const char *s, bool rust)
{
	if (*s == '<' && !rust)
		return true;
	if (*s == '<') /* keep <T as Trait>, <impl Trait for T> */
		return s > name && (is_word(s[-1]) || s[-1] == ':') &&
		       strncmp(s, "<impl ", 6) != 0;
	return *s == '(' && !rust;
}

/* Number of bytes at s to copy unchanged. */
static size_t
whole_length(const char *name, const char *s)
{
	if (*s == '{')
		return braces_length(s);
	if (*s == 'o' && (s == name || !is_word(s[-1])))
		return operator_length(s);
	if (strncmp(s, ANONYMOUS, strlen(ANONYMOUS)) == 0)
		return strlen(ANONYMOUS);
	return 0;
}

void
cp_simplify_name(char *name, bool rust)
{
	const char *s = name;
	char *to = name;

	while (*s != '\0') {
		size_t n = whole_length(name, s);

		if (n == 0 && opens_arguments(name, s, rust)) {
			bool turbofish = *s == '<' && rust && s[-1] == ':';

			s = skip_brackets(s);
			if (turbofish && to - name >= 2)
				to -= 2;
			if (strncmp(s, " const", 6) == 0)
				s += 6;
			continue;
		}
		n = CP_MAX(n, 1);
		memmove(to, s, n);
		to += n;
		s += n;
	}
	*to = '\0';
}
