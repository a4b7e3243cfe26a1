/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/call-paths.h: the part of the stack trie that given stacks
 * use.
 *
 * Nodes are numbered anew, parents before children, so that a loop upwards goes
 * from the root to the leaves and a loop downwards adds up weights. Number 0 is
 * the empty stack, the root.  Nothing here recurses: depth comes from the
 * input.
 */
#ifndef CP_ANALYSES_COMMON_CALL_PATHS_H
#define CP_ANALYSES_COMMON_CALL_PATHS_H

#include <coldperf/plugin.h>

#include "analyses/common/sample-groups.h"

struct cp_paths {
	struct cp_run *run;
	uint32_t n;
	uint32_t *parent;   /* by number; parents have smaller numbers */
	cp_frame_id *frame; /* by number */
	uint32_t *at;       /* number by stack id; 0: on no path */
	uint32_t frames;    /* all frame ids on the paths are smaller */
	uint32_t stacks;    /* length of at[] */
	uint32_t room;      /* of the other arrays */
};

/* Builds the paths of the stacks (b) of a tally's rows. */
void cp_paths_build(
    struct cp_paths *, struct cp_run *, const struct cp_tally_row *, size_t);
/*
 * Does the same with inlined functions as nodes of their own; the frames must
 * have been named.  at[] is still indexed by the rows' stacks.  Nodes of one
 * parent and one label are one, with the frame of the first one; label_of NULL:
 * none are.  Returns the labels by number; the root's is 0.
 */
uint32_t *cp_paths_build_inlined(struct cp_paths *, struct cp_run *,
    const struct cp_tally_row *, size_t,
    uint32_t (*label_of)(void *ctx, cp_frame_id), void *ctx);
/* Frees the memory. */
void cp_paths_free(struct cp_paths *);

/* Names the frames on these stacks. */
void cp_rows_name(struct cp_run *, const struct cp_tally_row *, size_t);
/* Returns the row with the most weight; NULL: there is none. */
const struct cp_tally_row *cp_rows_heaviest(const struct cp_tally *);
/* Does the same for rows of cp_run_leaves(), whose b is a frame. */
void cp_leaves_name(struct cp_run *, const struct cp_tally_row *, size_t);

/*
 * Sets out[i] if no node above i has i's label.  Labels are below n_labels;
 * CP_NO_ID is none (and never outermost).
 */
void cp_paths_outermost(const struct cp_paths *, const uint32_t *label,
    uint32_t n_labels, bool *out);

/* Weight of a node itself, without its children.  Few nodes have any. */
struct cp_own {
	uint64_t self, samples;
	double self_sq; /* of the squares of the weights */
};

/*
 * Weights of one group, spread over the paths.  Clearing undoes it for the
 * next.
 */
struct cp_spread {
	const struct cp_paths *paths;
	bool *marked;
	uint32_t *own;       /* by node: index in owns; 0: no weight itself */
	struct cp_own *owns; /* by number */
	uint32_t n_owns, owns_cap;
	uint64_t *total;   /* set by cp_spread_total(), and not cleared */
	double *total_sq;  /* of the squares of the weights; NULL: not wanted */
	uint32_t *touched; /* nodes with weight, parents first */
	uint32_t n;
};
void cp_spread_init(struct cp_spread *, const struct cp_paths *, bool squares);
/* Adds a row's weight to the self weight of its stack. */
void cp_spread_add(struct cp_spread *, const struct cp_tally_row *);
/* Adds the rows of a group. */
void cp_spread_rows(
    struct cp_spread *, const struct cp_grouped *, uint32_t group);
/* Sets total of every touched node to the sum of its own and all below it. */
void cp_spread_total(struct cp_spread *);
void cp_spread_clear(struct cp_spread *);
/* Returns the weight of the node itself; all zero if it has none. */
static inline const struct cp_own *
cp_spread_own(const struct cp_spread *s, uint32_t node)
{
	return &s->owns[s->own[node]];
}

#endif
