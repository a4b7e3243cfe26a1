/* SPDX-License-Identifier: MIT */
#include "base/match/simplify.h"

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

static bool
ends_in(const char *from, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - from) >= n && memcmp(end - n, word, n) == 0;
}

/* The blank after "vtable for", "virtual thunk to", "friend". */
static bool
is_kept(const char *from, const char *blank)
{
	return ends_in(from, blank, " for") || ends_in(from, blank, " to") ||
	       ends_in(from, blank, "::friend");
}

/* The end of "operator int*", "operator new" or "operator \"\" _s" at s. */
static const char *
skip_named_operator(const char *s)
{
	while (*s != '\0' && *s != '(')
		s = *s == '<' ? skip_brackets(s) : s + 1;
	return s;
}

/* After a parameter list: skips qualifiers of a member function. */
static const char *
skip_qualifiers(const char *s)
{
	static const char *const words[] = { " const", " volatile", " &&",
		" &" };

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			s += strlen(words[i]);
	return s;
}

/* Does a name follow, so that the parentheses were a type's: decltype(x) f()?
 */
static bool
is_type_before(const char *s)
{
	return *s == ' ' && strncmp(s, " requires ", 10) != 0 && s[1] != '(' &&
	       s[1] != '[';
}

/* What at s is no blank and no parameter list: returns its end. */
static const char *
skip_part(const char *name, const char *s)
{
	size_t n = whole_length(name, s);
	const char *end;

	if (n == strlen("operator") && *s == 'o')
		return skip_named_operator(s + n);
	if (n != 0)
		return s + n;
	if (*s == '<')
		return skip_brackets(s);
	if (*s != '[' && *s != '\'')
		return s + 1;
	end = strchr(s + 1, *s == '[' ? ']' : '\'');
	return end != NULL ? end + 1 : s + strlen(s);
}

void
cp_drop_signature(char *name)
{
	const char *s = name, *from = name, *end;

	while (*s != '\0') {
		if (*s != '(' ||
		    strncmp(s, ANONYMOUS, strlen(ANONYMOUS)) == 0) {
			if (*s == ' ' && !is_kept(name, s))
				from = s + 1;
			s = skip_part(name, s);
			continue;
		}
		if (s == from) /* void (*f(int))(char) */
			return;
		end = skip_qualifiers(skip_brackets(s));
		if (*end != ':' && !is_type_before(end))
			break;
		s = end;
	}
	memmove(name, from, (size_t)(s - from));
	name[s - from] = '\0';
}
