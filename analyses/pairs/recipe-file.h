/* SPDX-License-Identifier: MIT */
/* analyses/pairs/recipe-file.h: a recipe, and those that the user has. */
#ifndef CP_ANALYSES_PAIRS_RECIPE_FILE_H
#define CP_ANALYSES_PAIRS_RECIPE_FILE_H

#include <coldperf/plugin.h>

enum cp_pair_order {
	CP_PAIR_NEST,
	CP_PAIR_FIFO,
	CP_PAIR_KEEP,
	CP_PAIR_ONE,
	CP_PAIR_LIFE,
};

/* The meaning of the strings is in recipes.def. */
struct cp_recipe {
	const char *name, *begin, *end, *begin_key, *end_key;
	enum cp_pair_order order;
	const char *of, *value, *error, *about;
};

/* Most recipes of the user. */
enum { CP_RECIPE_FILE_MAX = 256 };
/* Reads them; CP_FAIL after a diagnostic with the line. */
int cp_recipe_file_read(
    struct cp_run *, struct cp_recipe **, size_t *n) CP_MUST_USE;

#endif
