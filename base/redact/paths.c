/* SPDX-License-Identifier: MIT */
/*
 * paths: finds names of users by the folders that they are in.
 *
 * A name of a path has one place or several, which are bits of a set: /home/x
 * may be in HOME, and is in ANY.  A table has the steps from the place of a
 * folder to the places of the names in it.
 */
#include "base/redact/paths.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char separators[] = "/\\";
static const char ends[] = " \t\r\n:;,\"'()<>|=[]{}`";

/* Places that a name may have. */
enum place {
	ANY,  /* the place of every name */
	ROOT, /* the place of the first name of an absolute path */
	/* Places of users */
	HOME,   /* and of folders with more users */
	LETTER, /* in /home/a/ */
	HIDDEN, /* in /home/.snapshots/ */
	NUMBER, /* in /home/.snapshots/7/ */
	USERS,
	SCREEN,
	TMP,
	CRON,
	/* Places without users */
	TAKEN, /* in /home/.zfs/snapshot/ */
	AFS,
	CELL,
	RUN,
	VAR,
	SPOOL
};

#define BIT(place) (UINT32_C(1) << (place))
#define NAMED                                                                  \
	(BIT(HOME) | BIT(LETTER) | BIT(HIDDEN) | BIT(NUMBER) | BIT(USERS) |    \
	    BIT(CRON))

/*
 * Steps: what is in a folder with that place and name has the place `to'.  In
 * names, `?' is a letter, `#' any digits, `*' the rest, and `@' the name of a
 * user, which a suffix may follow.  A folder's name is not a user's.  Case does
 * not matter.
 */
static const struct step {
	enum place from;
	const char *name;
	enum place to;
	bool folder;
} steps[] = {
	{ ANY, "home#", HOME, true },
	{ ANY, "homes", HOME, true },
	{ ANY, "users", HOME, true },
	{ ANY, "documents and settings", HOME, true },
	{ ANY, "per-user", USERS, true }, /* of Nix */
	{ ANY, "~@", ANY, false },
	/* Folders of users that have more users in them */
	{ HOME, "?", LETTER, false },
	{ LETTER, "??", HOME, false }, /* a/al/alice */
	{ HOME, ".*", HIDDEN, true },
	{ HIDDEN, "#", NUMBER, true },
	{ NUMBER, "snapshot", HOME, true },  /* of snapper */
	{ HIDDEN, "snapshot", TAKEN, true }, /* of ZFS */
	{ TAKEN, "*", HOME, true },
	{ HOME, "@.homedir", ANY, false },
	{ HOME, "@.home", ANY, false },
	{ HOME, "corp", HOME, false },
	{ HOME, "domain", HOME, false },
	{ HOME, "employees", HOME, false },
	{ HOME, "faculty", HOME, false },
	{ HOME, "guests", HOME, false },
	{ HOME, "ldap", HOME, false },
	{ HOME, "local", HOME, false },
	{ HOME, "people", HOME, false },
	{ HOME, "staff", HOME, false },
	{ HOME, "students", HOME, false },
	/* Paths from the root */
	{ ROOT, "u#", HOME, true },
	{ ROOT, "user", HOME, true },
	{ ROOT, "media", USERS, true },
	{ ROOT, "afs", AFS, true },
	{ AFS, "*", CELL, true },
	{ CELL, "user", HOME, true },
	{ CELL, "usr", HOME, true },
	{ ROOT, "var", VAR, true },
	{ ROOT, "run", RUN, true },
	{ VAR, "run", RUN, true },
	{ RUN, "media", USERS, true },
	{ RUN, "user", USERS, true },
	{ RUN, "screen", SCREEN, true },
	{ RUN, "screens", SCREEN, true },
	{ SCREEN, "s-@", ANY, false },
	{ VAR, "mail", USERS, true },
	{ VAR, "spool", SPOOL, true },
	{ SPOOL, "mail", USERS, true },
	{ SPOOL, "cron", CRON, true },
	{ CRON, "crontabs", USERS, true },
	{ CRON, "tabs", USERS, true },
	{ ROOT, "tmp", TMP, true },
	{ VAR, "tmp", TMP, true },
	{ TMP, "hsperfdata_@", ANY, false }, /* Java's */
	{ TMP, "pulse-@", ANY, false },
	{ TMP, "runtime-@", ANY, false },
	{ TMP, "kde-@", ANY, false },
	{ TMP, "ksocket-@", ANY, false },
	{ TMP, "orbit-@", ANY, false },
	{ TMP, "screens", SCREEN, true },
};

/* ------------------------------------------------------------------- names */

static bool
is_end(const char *want, const char *name, size_t n)
{
	size_t k = strlen(want);

	return k < n && strncasecmp(name + n - k, want, k) == 0;
}

/*
 * Does the name fit the pattern?  If a part of it is a user's name, *user is
 * that part.
 */
static bool
fits(const char *want, const char *name, size_t n, const char **user,
    size_t *length)
{
	size_t i = 0;

	for (; *want != '\0'; want++) {
		if (*want == '*')
			return true;
		if (*want == '@') {
			*user = name + i;
			*length = n - i - CP_MIN(n - i, strlen(want + 1));
			return *length != 0 && is_end(want + 1, name, n);
		}
		if (*want == '#') {
			while (i < n && isdigit((unsigned char)name[i]))
				i++;
			continue;
		}
		if (i == n ||
		    (*want == '?' ? !isalpha((unsigned char)name[i])
				  : tolower((unsigned char)name[i]) != *want))
			return false;
		i++;
	}
	return i == n;
}

/* Is it the name of a domain: of Windows (CORP) or of the DNS (a.example)? */
static bool
is_domain(const char *name, size_t n)
{
	static const char *const last[] = { ".com", ".org", ".net", ".edu",
		".local", ".lan", ".corp", ".internal", ".intra", ".example",
		".test" };
	size_t upper = 0;

	for (size_t i = 0; i < n; i++)
		upper += isupper((unsigned char)name[i]) != 0;
	for (size_t i = 0; i < CP_ARRAY_LEN(last); i++)
		if (is_end(last[i], name, n))
			return memchr(name, '@', n) == NULL;
	return n > 1 && upper == n;
}

/* Moves into the folder.  True: its name is or contains a user's name. */
static bool
down(struct cp_path_users *u, const char *name, const char **user, size_t *n)
{
	uint32_t from = u->place, to = BIT(ANY);
	bool named = (from & NAMED) != 0, part = false;
	size_t whole = *n;

	for (size_t i = 0; i < CP_ARRAY_LEN(steps); i++) {
		const struct step *s = &steps[i];
		const char *at = NULL;
		size_t length;

		if ((from & BIT(s->from)) == 0 ||
		    !fits(s->name, name, whole, &at, &length))
			continue;
		to |= BIT(s->to);
		named &= !s->folder;
		if (at != NULL) {
			part = true;
			*user = at;
			*n = length;
		}
	}
	if ((from & BIT(HOME)) != 0 && is_domain(name, whole))
		to |= BIT(HOME);
	if (u->kept == CP_PATH_DEPTH)
		u->far |= u->above[u->depth % CP_PATH_DEPTH];
	else
		u->kept++;
	u->above[u->depth++ % CP_PATH_DEPTH] = from;
	u->place = to;
	return named || part;
}

/* Follows one name of the path; true: it is a user's. */
static bool
along(struct cp_path_users *u, const char **name, size_t *n)
{
	const char *at = *name;

	if (*n == 0 || (*n == 1 && at[0] == '.'))
		return false;
	if (*n == 2 && at[0] == '.' && at[1] == '.') {
		/*
		 * Moves out of the folder.  If the path is too deep for
		 * `above', any of the places that had no room may be the right
		 * one.
		 */
		if (u->depth != 0) {
			u->depth--;
			u->place = u->far;
			if (u->kept != 0) {
				u->kept--;
				u->place = u->above[u->depth % CP_PATH_DEPTH];
			}
		}
		return false;
	}
	return down(u, at, name, n);
}

/* ------------------------------------------------------------------- paths */

/* Moves to where the next path begins. */
static bool
enter(struct cp_path_users *u, const char *begin)
{
	const char *at = strpbrk(u->text, separators);
	bool root;

	if (at == NULL) {
		u->text = "";
		return false;
	}
	root = at == begin || strchr(ends, at[-1]) != NULL;
	u->place = BIT(ANY) | (root ? BIT(ROOT) : 0);
	u->far = 0;
	u->depth = u->kept = 0;
	u->text = at;
	return true;
}

static size_t
name_length(const char *text, bool path)
{
	size_t n = strcspn(text, separators);

	/* The last name may be followed by what the kernel says of it. */
	if (path && text[n] != '\0')
		return n;
	return CP_MIN(n, strcspn(text, ends));
}

size_t
cp_path_user(struct cp_path_users *u, const char **user)
{
	if (u->begin == NULL)
		u->begin = u->text;
	while (u->inside || enter(u, u->begin)) {
		const char *name = u->text + strspn(u->text, separators);
		size_t n = name_length(name, u->path);
		bool is;

		u->text = name + n;
		u->inside = n != 0 && strspn(u->text, separators) != 0;
		*user = name;
		is = along(u, user, &n);
		if (is)
			return n;
	}
	return 0;
}
