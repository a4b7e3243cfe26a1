/* SPDX-License-Identifier: MIT */
/*
 * analyses/flame/flame.h: what the files of this room share.
 */
#ifndef CP_ANALYSES_FLAME_FLAME_H
#define CP_ANALYSES_FLAME_FLAME_H

#include <coldperf/plugin.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/frame-label.h"
#include "analyses/common/sample-groups.h"

/*
 * lineage.c: how much two paths have in common, in a time that
 * grows with the logarithm of their depth.
 *
 * Each node has its depth and one ancestor far above it, chosen so that few of
 * these jumps and steps to the parent lead to any ancestor (Myers, An
 * applicative random-access stack, 1983).
 */

struct cp_lineage {
	const uint32_t *parent; /* of the paths; a parent's number is lower */
	uint32_t *depth, *jump; /* the root, number 0, is its own */
	uint32_t deepest;
};

void cp_lineage_init(struct cp_lineage *, const struct cp_paths *);
/* Returns the depth of the deepest node that is an ancestor of both. */
uint32_t cp_lineage_common(const struct cp_lineage *, uint32_t, uint32_t);

/*
 * rows.c: the samples of each thread, in order of time.
 *
 * Samples with the same stack that follow each other are one row.
 */

struct cp_flamerow {
	uint64_t weight;
	cp_stack_id stack;
	uint32_t samples;
};

/* A thread under one name; a thread that is renamed is several. */
struct cp_flamethread {
	uint32_t group;
	struct cp_flamerow *rows;
	uint32_t n, cap;
};

struct cp_flamerows {
	struct cp_run *run;
	struct cp_index ids; /* (group, process and thread) */
	struct cp_flamethread *thread;
	uint32_t cap;
};

void cp_flamerows_init(struct cp_flamerows *, struct cp_run *);
void cp_flamerows_add(
    struct cp_flamerows *, uint32_t group, const struct cp_sample *);

/* A thread in the order in which a picture has them. */
struct cp_flameplace {
	const char *name; /* of its group */
	uint32_t group, thread;
};
/*
 * Sorts the threads with samples of an event: by name, then in the order of
 * their first sample.  Returns their number.
 */
uint32_t cp_flamerows_sort(const struct cp_flamerows *,
    const struct cp_groups *, uint32_t event, struct cp_flameplace **);

/*
 * chart.c: a tree of samples in order of time, for a flame
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

/*
 * guessed.c: the guessed frames of paths, as paths of their own:
 * there are few, and marks are spread over these alone.
 */

/*
 * Makes the paths of p that have the guessed nodes only.  Returns the number
 * that each of them has in merged.
 */
uint32_t *cp_guessed_paths(struct cp_paths *guessed, const struct cp_paths *p,
    const struct cp_paths *merged);

#endif
