/* SPDX-License-Identifier: MIT */
#include "base/redact/paths.h"

#include <ctype.h>
#include <string.h>

static const char *const folders[] = { "/home/", "/Users/", "/users/",
	"/homes/", "\\Users\\" };

/* Returns the place after the first folder of users, or NULL. */
static const char *
after_folder(const char *text)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(folders); i++) {
		const char *at = strstr(text, folders[i]);

		if (at == NULL || (first != NULL && at >= first))
			continue;
		first = at;
		n = strlen(folders[i]);
	}
	return first != NULL ? first + n : NULL;
}

static size_t
name_length(const char *text, bool path)
{
	size_t n = strcspn(text, "/\\");

	/* The last name may be followed by what the kernel says of it. */
	return path && text[n] != '\0' ? n
				       : strcspn(text, "/\\ \t\n:;,\"'()<>|");
}

size_t
cp_path_user(const char *text, bool path, const char **user)
{
	while ((text = after_folder(text)) != NULL) {
		size_t n;

		text += strspn(text, "/\\");
		n = name_length(text, path);
		if (n != 0) {
			*user = text;
			return n;
		}
	}
	return 0;
}

static bool
in_word(char c)
{
	return isalnum((unsigned char)c);
}

const char *
cp_find_word(const char *text, const char *word, size_t n)
{
	for (const char *at = strstr(text, word); at != NULL;
	     at = strstr(at + 1, word))
		if ((at == text || !in_word(at[-1]) || !in_word(*word)) &&
		    (!in_word(at[n]) || !in_word(word[n - 1])))
			return at;
	return NULL;
}
