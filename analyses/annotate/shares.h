/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/shares.h: the parts of `annotate`.
 *
 * annotate.c counts and chooses functions, annotate-listing.c shows one
 * instruction by instruction, annotate-lines.c line by line,
 * annotate-sources.c has the texts of the lines.
 */
#ifndef CP_ANALYSES_ANNOTATE_SHARES_H
#define CP_ANALYSES_ANNOTATE_SHARES_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

/* The samples of one event at one address. */
struct cp_hit {
	const struct cp_symbol *symbol;
	struct cp_mass mass;
	uint64_t addr, samples;
	uint32_t event;
};

/* One function of an event: the hits in it, by address. */
struct cp_hot {
	const struct cp_symbol *symbol;
	const struct cp_hit *hits;
	size_t n;
	struct cp_mass mass;
	uint64_t samples;
};

/* A source file that was shown. */
struct cp_shown_file {
	const char *file; /* the spot's pointer */
	struct cp_listing listing;
	struct cp_shown_file *next;
};

struct cp_annotate {
	struct cp_run *run;
	const char *function; /* a name or pattern; NULL: all */
	uint64_t top;
	bool by_line, sources, instructions;
	unsigned flags; /* of cp_run_code() */
	struct cp_groups groups;
	struct cp_tally *tally; /* group, frame */
	struct cp_shown_file *files, **last_file;
	bool kernel; /* instructions of a kernel were shown */
};

/* The weights of a row: of all of the event, and of the function. */
struct cp_part {
	struct cp_mass mass;
	uint64_t samples;
};
void cp_part_add(struct cp_part *, const struct cp_hit *);
void cp_annotate_shares(const struct cp_annotate *, struct cp_table *,
    const struct cp_hot *, const struct cp_part *);
/* Addresses of the hits, for cp_run_code(). */
struct cp_code cp_annotate_code(struct cp_annotate *, const struct cp_hot *);

/* annotate-listing.c, annotate-lines.c: the rows below the function's. */
void cp_annotate_listing(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);
void cp_annotate_lines(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);

/* annotate-sources.c */
struct cp_line_text {
	char text[400];
};
/* A line as it is shown; "" if it is not at hand. */
const char *cp_annotate_line(struct cp_annotate *, uint32_t dso,
    const struct cp_spot *, struct cp_line_text *);
/* "a.c:12", with the function if it is inlined; "" if it is not known. */
const char *cp_annotate_place(
    const struct cp_instruction *, struct cp_line_text *);
/*
 * What a function is called in few words, n characters: without scopes and
 * arguments of templates; "?" if there is no name.
 */
const char *cp_annotate_name(const struct cp_symbol *, int *n);
/* The table of files. */
void cp_annotate_files(const struct cp_annotate *, struct cp_report *);

#endif
