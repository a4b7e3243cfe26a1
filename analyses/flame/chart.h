/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/chart.h: a tree of samples in order of time, for a flame
 * chart.
 *
 * The rows of a thread are read one after the other.  What a stack has in
 * common with the one before goes on, the rest is closed: its frames are done.
 * Most frames of a long capture are too narrow to be seen.  They are counted
 * by width first, all threads over; then those that are at least as wide as
 * `least' get nodes, the widest of a fixed number.  The narrow ones between two
 * nodes are one node.  No weight is lost.
 */
#ifndef CP_ANALYSES_FLAME_CHART_H
#define CP_ANALYSES_FLAME_CHART_H

#include "analyses/common/call-paths.h"
#include "analyses/common/frame-label.h"
#include "analyses/flame/rows.h"

enum { CP_CHART_WIDTHS = 64 * 16 };

struct cp_chartlevel;

struct cp_chart {
	struct cp_run *run;
	struct cp_frametexts *texts;
	const struct cp_paths *paths; /* merged by text */
	const uint32_t *label;        /* texts by number in paths */
	/* reverse: all paths, else those of guessed frames; NULL: none */
	const struct cp_paths *guessed;
	const uint32_t *merged_of; /* by number in guessed */
	bool reverse;

	struct cp_tree *tree; /* NULL: widths are counted */
	uint64_t widths[CP_CHART_WIDTHS];
	uint64_t least;
	uint64_t at;     /* weight of the rows so far */
	uint32_t *depth; /* by number in paths */
	uint32_t *path;  /* scratch */
	/* open[0] is the group; those up to `made' have a node */
	struct cp_chartlevel *open;
	uint32_t cap, n, made;
};

/* The fields above the blank line must have been set. */
void cp_chart_init(struct cp_chart *);
/* Adds the rows of a thread to the group that was begun. */
void cp_chart_add(struct cp_chart *, const struct cp_flamethread *);
/* Begins a group, whose node is top; the one before must have been ended. */
void cp_chart_begin(struct cp_chart *, uint32_t top);
void cp_chart_end(struct cp_chart *);
/* After the widths of all rows were counted: begins with the tree. */
void cp_chart_draw(struct cp_chart *, struct cp_tree *);

#endif
