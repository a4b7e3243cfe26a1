/* SPDX-License-Identifier: MIT */
/*
 * analyses/pairs/recipes.h: which events begin and end something, and how their
 * samples are matched.
 *
 * This room measures the time from one event to another.  Recipes are data
 * (recipes.conf, and the user's; recipe-file.c reads both); recipes.c finds
 * those of the capture, and those of events whose names differ by "_begin" and
 * "_end" or the like; match.c matches begins and ends, which begun.c keeps, for
 * syscalls, locks and blockio, too; measure.c counts them; tables.c and
 * over-time.c show them.  It may use coldperf/plugin.h, analyses/lost and
 * analyses/common.  Begin in match.c.
 */
#ifndef CP_ANALYSES_PAIRS_RECIPES_H
#define CP_ANALYSES_PAIRS_RECIPES_H

#include <coldperf/plugin.h>

enum cp_pair_order {
	CP_PAIR_NEST,
	CP_PAIR_FIFO,
	CP_PAIR_KEEP,
	CP_PAIR_ONE,
	CP_PAIR_LIFE,
};

/* recipes.conf says what the strings mean. */
struct cp_recipe {
	const char *name, *begin, *end, *begin_key, *end_key;
	enum cp_pair_order order;
	const char *of, *value, *error, *about;
	unsigned line; /* of the user's file; 0: built in */
};

/* Reads the recipes that are known; CP_FAIL after a diagnostic with the line.
 */
int cp_recipe_file_read(
    struct cp_run *, const struct cp_recipe **, size_t *n) CP_MUST_USE;

enum { CP_PAIR_WORDS = 4 };

struct cp_pair_word {
	enum { CP_WORD_TID, CP_WORD_CPU, CP_WORD_FIELD, CP_WORD_IF } kind;
	const struct cp_field *field;
	uint64_t want; /* of IF */
	bool equal;
};

/* What an event of the capture is to a recipe. */
struct cp_pair_use {
	uint32_t recipe;
	bool ends;
	uint32_t n;
	struct cp_pair_word word[CP_PAIR_WORDS];
	const struct cp_field *of, *value, *error; /* or NULL */
	enum {
		CP_PAIR_NOT_COMMON,
		CP_PAIR_COMM,
		CP_PAIR_PID,
		CP_PAIR_TID,
		CP_PAIR_CPU,
		CP_PAIR_CGROUP
	} common; /* what each sample has, in place of a field "of" */
};

struct cp_pair_uses {
	bool looked;
	bool twice;    /* several events of the capture have its name */
	uint32_t kind; /* the first of these */
	uint32_t n;
	struct cp_pair_use *all;
};

struct cp_recipes {
	struct cp_run *run;
	const struct cp_recipe *known; /* all */
	size_t n_known;
	struct cp_recipe *all; /* those of which the capture has both events */
	uint32_t n;
	bool *ends;                /* by recipe: its end has occurred */
	struct cp_pair_uses *uses; /* by evsel */
	uint32_t evsels;
	bool failed; /* a field of a key is missing: a diagnostic said which */
};

/*
 * Finds the recipes of the capture, or those that --recipe or --begin and --end
 * choose.
 */
void cp_recipes_init(struct cp_recipes *, struct cp_run *);
/* Returns the uses of the sample's event. */
const struct cp_pair_uses *cp_recipes_of(
    struct cp_recipes *, const struct cp_sample *);
/* Checks the options; CP_FAIL after a diagnostic. */
int cp_recipes_check(struct cp_run *) CP_MUST_USE;
/* Notes recipes that the capture has one event of, and what records them. */
void cp_recipes_note(struct cp_recipes *, struct cp_report *);
/* Shows all recipes. */
void cp_recipes_list(struct cp_recipes *, struct cp_report *);

#endif
