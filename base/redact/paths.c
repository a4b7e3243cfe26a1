/* SPDX-License-Identifier: MIT */
#include "base/redact/paths.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char separators[] = "/\\";

/* Folders of users; upper and lower case are one. */
static bool
is_folder(const char *name, size_t n)
{
	static const char *const folders[] = { "home", "homes", "users" };

	for (size_t i = 0; i < CP_ARRAY_LEN(folders); i++)
		if (strlen(folders[i]) == n &&
		    strncasecmp(folders[i], name, n) == 0)
			return true;
	return false;
}

/* Moves to the separator before the next folder of users. */
static bool
enter(struct cp_path_users *u)
{
	for (u->text = strpbrk(u->text, separators); u->text != NULL;
	     u->text = strpbrk(u->text + 1, separators)) {
		const char *name = u->text + 1;
		size_t n = strcspn(name, separators);

		if (name[n] != '\0' && is_folder(name, n))
			return true;
	}
	u->text = "";
	return false;
}

static size_t
name_length(const char *text, bool path)
{
	size_t n = strcspn(text, separators);

	/* The last name may be followed by what the kernel says of it. */
	return path && text[n] != '\0' ? n
				       : strcspn(text, "/\\ \t\n:;,\"'()<>|");
}

static void
down(struct cp_path_users *u, bool folder)
{
	u->far |= u->folders & CP_PATH_FAR;
	u->folders = u->folders << 1 | folder;
}

/* Where more is not known, the path may be in a folder of users again. */
static void
up(struct cp_path_users *u)
{
	u->folders = u->folders >> 1 | u->far;
}

/* Goes along one name; is it a user's? */
static bool
along(struct cp_path_users *u, const char *name, size_t n)
{
	bool user = (u->folders & 1) != 0, folder = is_folder(name, n);

	if (n == 0 || (n == 1 && name[0] == '.'))
		return false;
	if (n == 2 && name[0] == '.' && name[1] == '.') {
		up(u);
		return false;
	}
	down(u, folder);
	return user && !folder;
}

size_t
cp_path_user(struct cp_path_users *u, const char **user)
{
	while (u->inside || enter(u)) {
		const char *name = u->text + strspn(u->text, separators);
		size_t n = name_length(name, u->path);
		bool is;

		if (!u->inside)
			u->folders = u->far = 0;
		u->text = name + n;
		u->inside = n != 0 && strspn(u->text, separators) != 0;
		is = along(u, name, n);
		*user = name;
		if (is)
			return n;
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
