/* SPDX-License-Identifier: MIT */
/* parts: the namespaces, packages and folders that a name consists of. */
#include <ctype.h>

#include "base/match/short-name.h"

#define ELLIPSIS "…"

/* True for suffixes that compilers add, which are no name by themselves. */
static bool
is_suffix(const char *s)
{
	static const char *const words[] = { "isra", "constprop", "part",
		"cold", "cfi", "llvm", "lto_priv", "so", "ko", "localalias" };

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return true;
	return isdigit((unsigned char)*s);
}

/* Returns the length of the separator at s; slash: only a slash counts. */
static size_t
separator(const char *s, bool slash)
{
	if (slash)
		return *s == '/' && s[1] != '\0';
	if (s[0] == ':' && s[1] == ':')
		return 2;
	/* A template function's name follows the type it returns. */
	if (s[0] == ' ' && isalpha((unsigned char)s[1]))
		return strstr(s, "<" ELLIPSIS ">") != NULL;
	return *s == '.' && (isalpha((unsigned char)s[1]) || s[1] == '(') &&
	       !is_suffix(s + 1);
}

const char *
cp_name_part(const char *s, bool slash)
{
	size_t depth = 0;

	for (; *s != '\0'; s++) {
		size_t n = depth == 0 ? separator(s, slash) : 0;

		if (n != 0)
			return s + n;
		if (strncmp(s, "operator", 8) == 0)
			return NULL;
		depth += strchr("<([{", *s) != NULL;
		depth -= depth != 0 && strchr(">)]}", *s) != NULL;
	}
	return NULL;
}

bool
cp_name_has_path(const char *s)
{
	return cp_name_part(s, true) != NULL;
}

const char *
cp_name_tail(const char *brief)
{
	const char *next;

	while (cp_name_has_path(brief))
		brief = cp_name_part(brief, true);
	while ((next = cp_name_part(brief, false)) != NULL)
		brief = next;
	return brief;
}
