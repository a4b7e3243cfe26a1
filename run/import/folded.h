/* SPDX-License-Identifier: MIT */
/* run/import/folded.h: what lines of folded stacks are, and their counts. */
#ifndef CP_RUN_IMPORT_FOLDED_H
#define CP_RUN_IMPORT_FOLDED_H

#include "run/import/build.h"

struct cp_input;

/* digits * 10^exp; exp is at most 0 */
struct cp_count {
	uint64_t digits;
	int exp;
};

/* What a text of folded stacks is, by all its lines. */
struct cp_folded {
	bool pairs;       /* lines end in two counts */
	bool frames;      /* the first part is a frame, no command */
	bool full;        /* Austin's: there are numbers after a time */
	unsigned places;  /* decimal places that are kept */
	uint64_t alone;   /* stacks of a first part that others begin with */
	const char *mode; /* of Austin: "wall", "cpu", "memory"; NULL: none */
};

/*
 * Looks through the text.  Returns NULL, or why it is not read: it is no such
 * text, or could be any other.
 */
const char *cp_folded_look(struct cp_input *, struct cp_folded *);
/* Takes the counts off the end; returns how many, 0: it is no stack. */
unsigned cp_folded_split(
    const struct cp_folded *, struct cp_text *line, struct cp_count count[2]);
bool cp_folded_is_comment(struct cp_text line);
/* Returns the count times 10^places; whole is cleared if it was rounded. */
uint64_t cp_count_value(struct cp_count, unsigned places, bool *whole);

#endif
