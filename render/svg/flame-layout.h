/* SPDX-License-Identifier: MIT */
/*
 * render/svg/flame-layout.h: the frames of a flame graph, laid out.
 *
 * Frames come in the order of a depth-first walk, siblings by name: so the same
 * program gives the same picture.  A frame below the smallest share is left out
 * with everything on it; its part of the caller's width stays empty at the
 * right, next to the caller's own weight.
 *
 * Frames of a flame chart are where their nodes begin.  What is too narrow is a
 * node already: none is left out here.
 */
#ifndef CP_RENDER_SVG_FLAME_LAYOUT_H
#define CP_RENDER_SVG_FLAME_LAYOUT_H

#include "report/report.h"

struct cp_flame_frame {
	uint32_t node;  /* of the tree */
	uint32_t depth; /* the root has 0 */
	uint64_t start; /* in the tree's weight */
};

struct cp_flame {
	const struct cp_tree *tree;
	CP_VEC(struct cp_flame_frame) frames;
	/* by node: samples of it and of all nodes below it */
	uint64_t *samples;
	bool timed;       /* a flame chart */
	uint32_t depth;   /* of the deepest frame */
	uint64_t dropped; /* nodes, or frames that a chart has no node for */
	uint64_t dropped_weight;
};

void cp_flame_init(struct cp_flame *, const struct cp_tree *, double min_share);
/* The least k for which k - 1.96 sqrt(k), what chance leaves of it, is above 0.
 */
#define CP_FLAME_FEW 4
/* Is the node so small that another run may have no sample of it? */
bool cp_flame_few(const struct cp_flame *, uint32_t node);
void cp_flame_free(struct cp_flame *);

#endif
