/* SPDX-License-Identifier: MIT */
#include "render/common/tree-order.h"
#include "render/svg/flame-layout.h"

static void
flame_samples(struct cp_flame *f)
{
	size_t n = f->tree->nodes.len;

	f->samples = cp_xcalloc(n, sizeof(*f->samples));
	for (size_t i = n; i-- > 0;) {
		f->samples[i] += f->tree->nodes.data[i].samples;
		if (i != 0)
			f->samples[f->tree->nodes.data[i].parent] +=
			    f->samples[i];
	}
}

static void
flame_add(struct cp_flame *f, const struct cp_tree_step *at)
{
	*cp_vec_push(&f->frames) =
	    (struct cp_flame_frame){ at->node, at->depth, at->at };
	f->depth = CP_MAX(f->depth, at->depth);
}

/* Pushes the children in reverse, without the light ones. */
static void
flame_down(struct cp_flame *f, struct cp_tree_walk *walk,
    const struct cp_kids *kids, const struct cp_tree_step *at)
{
	const struct cp_tree_node *node = f->tree->nodes.data;
	uint64_t start = at->at;
	size_t from = walk->stack.len;

	for (uint32_t i = kids->first[at->node]; i < kids->first[at->node + 1];
	     i++) {
		uint64_t total = node[kids->node[i]].total;

		if (total == 0 ||
		    (!f->timed && cp_tree_is_narrow(f->tree, kids->node[i])))
			continue;
		*cp_vec_push(&walk->stack) =
		    (struct cp_tree_step){ kids->node[i], at->depth + 1,
			    f->timed ? f->tree->places.data[kids->node[i]].start
				     : start };
		start += total;
	}
	f->dropped_weight +=
	    node[at->node].total - node[at->node].self - (start - at->at);
	for (size_t to = walk->stack.len; from + 1 < to; from++, to--) {
		struct cp_tree_step s = walk->stack.data[from];

		walk->stack.data[from] = walk->stack.data[to - 1];
		walk->stack.data[to - 1] = s;
	}
}

/* Counts the nodes with weight; others get no frame. */
static uint64_t
flame_weighty(const struct cp_tree *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->nodes.len; i++)
		n += t->nodes.data[i].total != 0;
	return n;
}

/* Frames that are one narrow node count as left out. */
static void
count_narrow(struct cp_flame *f)
{
	for (uint32_t i = 0; i < f->tree->nodes.len; i++) {
		uint64_t frames = cp_tree_is_narrow(f->tree, i);

		if (frames == 0)
			continue;
		f->dropped += f->timed ? frames : frames - 1;
		if (f->timed)
			f->dropped_weight += f->tree->nodes.data[i].total;
	}
}

void
cp_flame_init(struct cp_flame *f, const struct cp_tree *tree, double min_share)
{
	double min = (double)tree->nodes.data[0].total * min_share;
	struct cp_tree_walk walk = { 0 };
	struct cp_tree_step at = { 0 };
	struct cp_kids kids;

	*f = (struct cp_flame){ .tree = tree, .timed = cp_tree_timed(tree) };
	if (tree->nodes.data[0].total == 0)
		return;
	flame_samples(f);
	cp_kids_init(&kids, tree, f->timed ? CP_KIDS_AS_ADDED : CP_KIDS_BY_NAME,
	    f->timed ? 0 : min);
	do {
		flame_add(f, &at);
		flame_down(f, &walk, &kids, &at);
	} while (cp_tree_walk_next(&walk, &at));
	cp_kids_free(&kids);
	f->dropped = flame_weighty(tree) - f->frames.len;
	count_narrow(f);
}

bool
cp_flame_few(const struct cp_flame *f, uint32_t node)
{
	return f->tree->sampled && f->samples[node] < CP_FLAME_FEW;
}

void
cp_flame_free(struct cp_flame *f)
{
	cp_vec_free(&f->frames);
	free(f->samples);
	*f = (struct cp_flame){ 0 };
}
