/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/call-paths.h: the part of the stack trie that lies on given
 * stacks.
 *
 * Nodes are numbered anew, parents before children, so that a loop upwards
 * goes from the root to the leaves and a loop downwards adds up weights.
 * Number 0 is the empty stack above them all.  Nothing here recurses: depth
 * is the input's.
 */
#ifndef CP_ANALYSES_COMMON_CALL_PATHS_H
#define CP_ANALYSES_COMMON_CALL_PATHS_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

struct cp_paths {
	struct cp_run *run;
	uint32_t n;
	uint32_t *parent;   /* by number; less than the number */
	cp_frame_id *frame; /* by number */
	uint32_t *at;       /* by stack id: its number, 0 if on no path */
	uint32_t frames;    /* frame ids on the paths are less */
};

/* The paths of the stacks (b) of a tally's rows. */
void cp_paths_build(
    struct cp_paths *, struct cp_run *, const struct cp_tally_row *, size_t);
/*
 * The same with inlined functions as nodes of their own; the frames must have
 * been named.  at[] answers for the stacks as they are in the rows.
 */
void cp_paths_build_inlined(
    struct cp_paths *, struct cp_run *, const struct cp_tally_row *, size_t);
/* From a node of an inlined function to that of the one it is part of. */
uint32_t cp_paths_host(const struct cp_paths *, uint32_t node);

/*
 * The same with nodes of one parent and one label (by number; its root's is
 * not looked at) made one.  frame is that of the first of them.  Returns the
 * labels by the new numbers.
 */
uint32_t *cp_paths_merge(
    struct cp_paths *merged, const struct cp_paths *, const uint32_t *label);

/* Has the frames on those stacks named. */
void cp_rows_name(struct cp_run *, const struct cp_tally_row *, size_t);

/*
 * out[i] tells whether no node above i has i's label; labels are below
 * n_labels, CP_NO_ID is none (and never outermost).
 */
void cp_paths_outermost(const struct cp_paths *, const uint32_t *label,
    uint32_t n_labels, bool *out);

/* The weights of one group, spread over the paths and taken off again. */
struct cp_spread {
	const struct cp_paths *paths;
	bool *marked;
	uint64_t *self;
	uint64_t *total; /* by cp_spread_total(); not taken off again */
	double *self_sq, *total_sq; /* of the squares of the weights */
	uint64_t *samples;          /* behind self */
	uint32_t *touched;          /* parents first */
	uint32_t n;
};
void cp_spread_init(struct cp_spread *, const struct cp_paths *);
/* Adds a row: its weight to self of its stack. */
void cp_spread_add(struct cp_spread *, const struct cp_tally_row *);
/* Adds those of a group. */
void cp_spread_rows(
    struct cp_spread *, const struct cp_grouped *, uint32_t group);
/* Sets total of every node touched to its own and all below it. */
void cp_spread_total(struct cp_spread *);
void cp_spread_clear(struct cp_spread *);

#endif
