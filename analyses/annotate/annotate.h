/* SPDX-License-Identifier: MIT */
/*
 * analyses/annotate/annotate.h: what the files of this room share.
 *
 * This room makes the rows of `annotate`: the hottest lines of all functions
 * (hottest.c), a function's lines (lines.c), its instructions (listing.c;
 * near.c leaves out what is far from samples), the texts of both (sources.c);
 * and chooses the functions whose code a page has (heavy.c).
 * It may use coldperf/plugin.h and analyses/common.  Begin in
 * analyses/annotate.c, which counts and chooses the functions.
 */
#ifndef CP_ANALYSES_ANNOTATE_ANNOTATE_H
#define CP_ANALYSES_ANNOTATE_ANNOTATE_H

#include <coldperf/plugin.h>

#include "analyses/common/event.h"
#include "analyses/common/sample-groups.h"

/*
 * shares.c: hits of functions and of the addresses in them,
 * and the cells that show them.
 */

/* The samples of one event at one address. */
struct cp_hit {
	const struct cp_symbol *symbol;
	struct cp_mass mass;
	uint64_t addr, samples;
	uint32_t event;
	bool wanted; /* by the function's name, or one's that is inlined */
	bool itself; /* the innermost function at the address is wanted */
	/* that is wanted, where the function is not; NULL: none */
	const struct cp_symbol *inlined;
};

/* One function of an event: the hits in it, by address. */
struct cp_hot {
	const struct cp_symbol *symbol;
	const struct cp_symbol *inlined; /* its hits are in the code of it */
	const struct cp_hit *hits;
	size_t n;
	struct cp_mass mass;
	uint64_t samples;
	struct cp_code code; /* of functions that are shown */
};

/* A source file that was shown. */
struct cp_shown_file {
	const char *file; /* compared by pointer */
	struct cp_listing listing;
	struct cp_shown_file *next;
};

struct cp_annotate {
	struct cp_run *run;
	const char *function; /* a name or pattern; NULL: all functions */
	const struct cp_pattern *pattern;
	uint64_t top, context; /* context: instructions around hits */
	bool whole;            /* all instructions */
	bool by_line, sources, instructions;
	unsigned flags; /* flags for cp_run_code() */
	struct cp_groups groups;
	const struct cp_tally *leaves; /* event, frame */
	struct cp_shown_file *files, **last_file;
	struct cp_event_shares unnamed;
	double *dispersion; /* of shares, by event */
	bool kernel;        /* some code shown is a kernel's */
	/*
	 * Code for the page of another analysis: of functions with more than
	 * this share of their event.
	 */
	bool embedded;
	double share;
};

/* The weight of a row: shown as a share of the event and of the function. */
struct cp_part {
	struct cp_mass mass;
	uint64_t samples;
};
void cp_part_add(struct cp_part *, const struct cp_hit *);
void cp_annotate_shares(const struct cp_annotate *, struct cp_table *,
    const struct cp_hot *, const struct cp_part *);
/* Lists the addresses of the hits for cp_run_code(). */
struct cp_code cp_annotate_code(struct cp_annotate *, const struct cp_hot *);

/* heavy.c: the functions with a share of an event. */

/* True if the weight is the share of its event that a page wants, or more. */
bool cp_annotate_is_heavy(
    const struct cp_annotate *, uint64_t weight, uint32_t event);
/*
 * Returns for each row of the tally whether its function has the share of its
 * event that a page wants.  Frames must have names.
 */
bool *cp_annotate_heavy(
    const struct cp_annotate *, const struct cp_tally_row *, size_t n);

/* hottest.c: the heaviest lines of all functions shown. */

/*
 * Adds a table of the heaviest lines of n functions of one event.  The code of
 * each function must be known.
 */
void cp_annotate_hottest(
    struct cp_annotate *, struct cp_report *, const struct cp_hot *, size_t n);

/* lines.c: a function line by line. */

/* A line, or an instruction, and the samples there. */
struct cp_line {
	const struct cp_instruction *at; /* the first instruction of the line */
	struct cp_part part;
};
/*
 * Returns the innermost function and its line.  NULL: there is no line; debug
 * information may have functions without, such as compilers make.
 */
const struct cp_spot *cp_annotate_spot(const struct cp_instruction *);
/*
 * Writes a line for each sampled instruction of the function; the array has
 * room for h->n.  Returns their number.
 */
size_t cp_annotate_instructions(const struct cp_hot *, struct cp_line *);
/*
 * Merges instructions of the same source line in place, and sorts the lines,
 * the heaviest first.  Returns the number of lines.
 */
size_t cp_annotate_merge(struct cp_line *, size_t n);

/* Adds the rows below the function's row. */
void cp_annotate_lines(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);

/* listing.c: a function instruction by instruction. */

/* Adds the rows below the function's row. */
void cp_annotate_listing(
    struct cp_annotate *, struct cp_table *, const struct cp_hot *);

/* near.c: which instructions of a function are shown. */

/*
 * Returns a flag for each instruction of h->code: true if it, or one within the
 * context around it, has samples.
 */
const bool *cp_annotate_near(struct cp_annotate *, const struct cp_hot *);

/* sources.c: texts and places of source lines. */

struct cp_line_text {
	char text[400];
};
/* Returns the text to show for the line; "" if the file is not available. */
const char *cp_annotate_line(struct cp_annotate *, uint32_t dso,
    const struct cp_spot *, struct cp_line_text *);
/*
 * Returns "a.c:12", with the function if it is inlined; "" if the line is not
 * known.
 */
const char *cp_annotate_place(const struct cp_annotate *,
    const struct cp_instruction *, struct cp_line_text *);
enum { CP_LONGEST_NAME = 40 };
struct cp_short_name {
	char text[CP_LONGEST_NAME + sizeof("...")];
};
/*
 * Returns the short name of a function: without scopes and template arguments;
 * with an ellipsis if it is longer than that; "?" if there is no name.
 */
const char *cp_annotate_name(
    struct cp_run *, const struct cp_symbol *, struct cp_short_name *);
/* Shows the table of files. */
void cp_annotate_files(const struct cp_annotate *, struct cp_report *);

/*
 * wanted.c: which hits are of the function asked for.
 *
 * A function that is inlined is found in the functions that have its code.
 */

/* Asks for the function, then for those inlined at the address. */
void cp_wanted_hit(const struct cp_annotate *, struct cp_hit *, cp_frame_id);
/*
 * If no function has the name asked for, reports that and lists those that
 * have samples.
 */
void cp_wanted_check(const struct cp_annotate *, const struct cp_hit *, size_t);
/*
 * Notes which functions of the hits' event the name meant, and how heavy they
 * are.
 */
void cp_wanted_note(const struct cp_annotate *, struct cp_report *,
    const struct cp_hit *, size_t);

#endif
