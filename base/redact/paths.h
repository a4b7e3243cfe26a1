/* SPDX-License-Identifier: MIT */
/* base/redact/paths.h: users' names in the paths that a text has. */
#ifndef CP_BASE_REDACT_PATHS_H
#define CP_BASE_REDACT_PATHS_H

#include "base/base.h"

#define CP_PATH_FAR (UINT64_C(1) << 63)

/* The paths that a text has, gone along name by name. */
struct cp_path_users {
	const char *text; /* what is left of it */
	bool path;        /* it is one path: names of folders may have spaces */
	bool inside;      /* a path goes on there */
	/*
	 * A bit for each name up to here, 1: it is a folder of users.  The
	 * lowest is of the last one.
	 */
	uint64_t folders;
	uint64_t far; /* CP_PATH_FAR: one of the names before them is, too */
};

/*
 * Finds the next name of a user's folder: the name after /home/, /Users/ and
 * similar folders, with the names "." and ".." as they are meant.  Returns its
 * length; 0: there is none.
 */
size_t cp_path_user(struct cp_path_users *, const char **user);
/*
 * Finds the next place at which the word stands by itself, not as a part of a
 * longer word.
 */
const char *cp_find_word(const char *text, const char *word, size_t n);

#endif
