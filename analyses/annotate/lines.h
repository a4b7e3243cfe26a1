/* SPDX-License-Identifier: MIT */
/* analyses/annotate/lines.h: a function line by line. */
#ifndef CP_ANALYSES_ANNOTATE_LINES_H
#define CP_ANALYSES_ANNOTATE_LINES_H

#include "analyses/annotate/shares.h"

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

#endif
