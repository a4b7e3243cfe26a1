/* SPDX-License-Identifier: MIT */
/* base/redact/paths.h: finds users' names in paths. */
#ifndef CP_BASE_REDACT_PATHS_H
#define CP_BASE_REDACT_PATHS_H

#include "base/base.h"

#define CP_PATH_DEPTH 64

/* A reader of the paths in a text, name by name. */
struct cp_path_users {
	const char *text, *begin; /* the rest of the text, and all of it */
	bool path;   /* the text is one path: names may contain spaces */
	bool inside; /* the rest begins inside a path */
	/*
	 * Places, as bits (see paths.c): of the next name, of the folders above
	 * it, and of all folders for which `above' had no room.
	 */
	uint32_t place, above[CP_PATH_DEPTH], far;
	size_t depth, kept;
};

/*
 * Finds the next name of a user, and follows "." and "..".  Returns the length
 * of the name; 0: there is none.
 */
size_t cp_path_user(struct cp_path_users *, const char **user);

#endif
