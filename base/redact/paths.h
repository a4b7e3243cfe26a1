/* SPDX-License-Identifier: MIT */
/* base/redact/paths.h: finds users' names in paths. */
#ifndef CP_BASE_REDACT_PATHS_H
#define CP_BASE_REDACT_PATHS_H

#include "base/base.h"

#define CP_PATH_DEPTH 64

/* The paths that a text has, gone along name by name. */
struct cp_path_users {
	const char *text, *begin; /* what is left of it, and all */
	bool path;   /* it is one path: names of folders may have spaces */
	bool inside; /* a path goes on there */
	/*
	 * Places are sets of bits: see paths.c.  Those of the last name, of the
	 * folders above it, and of all folders for which there was no room.
	 */
	uint32_t place, above[CP_PATH_DEPTH], far;
	size_t depth, kept;
};

/*
 * Finds the next name of a user's folder or file, with the names "." and ".."
 * as they are meant: paths.c has the table of places.  Returns its length; 0:
 * there is none.
 */
size_t cp_path_user(struct cp_path_users *, const char **user);
/*
 * Finds the next place at which the word stands by itself, not as a part of a
 * longer word.  Upper and lower case are one.
 */
const char *cp_find_word(const char *text, const char *word, size_t n);

#endif
