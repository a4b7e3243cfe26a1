/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/chart.h: a tree of samples in order of time, for a flame
 * chart.
 *
 * The rows of a thread are read one after the other.  What a stack has in
 * common with the one before goes on, the rest is closed: its frames are done.
 * All levels that a row opens began together and are one span, so a row of a
 * deep stack costs hardly more than one of a flat one.  If `reverse', a row
 * costs as much as it has in common with the one before.
 *
 * Most frames of a long capture are too narrow to be seen.  They are counted
 * by width first, all threads over; then those that are at least as wide as
 * `least' get nodes, the widest of a fixed number.  The narrow ones between two
 * nodes are one node.  No weight is lost.  Commands and threads are levels as
 * frames are.
 */
#ifndef CP_ANALYSES_FLAME_CHART_H
#define CP_ANALYSES_FLAME_CHART_H

#include "analyses/common/call-paths.h"
#include "analyses/common/frame-label.h"
#include "analyses/flame/lineage.h"
#include "analyses/flame/rows.h"

enum { CP_CHART_WIDTHS = 64 * 16, CP_CHART_NAMES = 2 };

struct cp_chartspan;
struct cp_chartlevel;

struct cp_chart {
	struct cp_run *run;
	struct cp_frametexts *texts;
	const struct cp_paths *paths; /* merged by text */
	const uint32_t *label;        /* texts by number in paths */
	/* reverse: all paths, else those of guessed frames; NULL: none */
	const struct cp_paths *guessed;
	const uint32_t *merged_of; /* by number in guessed */
	uint32_t names;            /* levels below the frames, of each thread */
	bool reverse;

	struct cp_tree *tree; /* NULL: widths are counted */
	uint64_t widths[CP_CHART_WIDTHS];
	uint64_t least;
	uint64_t at; /* weight of the rows so far */
	struct cp_lineage lineage;
	cp_string_id name[CP_CHART_NAMES]; /* of the thread that is read */
	uint32_t leaf; /* in paths, of the row before; 0: no frame is open */
	/* open[0] is the root; those up to `made' have nodes */
	struct cp_chartspan *open;
	uint32_t cap, n, made;
	struct cp_chartlevel *level; /* by depth; the root is 0 */
};

/* The fields above the blank line must have been set. */
void cp_chart_init(struct cp_chart *);
/* Adds the rows of a thread, which stands on so many names. */
void cp_chart_add(struct cp_chart *, const struct cp_flamethread *,
    const cp_string_id name[CP_CHART_NAMES]);
/* After all threads were added: to be followed by all threads once more. */
void cp_chart_draw(struct cp_chart *, struct cp_tree *);
/* After all threads were added once more. */
void cp_chart_end(struct cp_chart *);

#endif
