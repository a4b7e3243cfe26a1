/* SPDX-License-Identifier: MIT */
#include "analyses/flame/flame.h"

#include <string.h>

/* Frames with a node.  With narrow ones between them a picture has twice. */
#define MOST_FRAMES 8000

/* What is too narrow for nodes, between two nodes. */
struct narrow {
	uint64_t start, weight, samples, frames;
};

/* Levels that one row opened. */
struct cp_chartspan {
	uint32_t leaf; /* in paths, of that row */
	uint32_t last; /* level; the first follows the last of the span below */
	uint64_t start;
	uint64_t self, samples; /* of stacks that end at the last level */
	struct narrow narrow;
};

struct cp_chartlevel {
	uint32_t node; /* of the tree, if its span is made */
	uint32_t path; /* scratch: number in paths */
	uint64_t guessed[CP_GUESSES];
};

static void
start(struct cp_chart *c)
{
	c->at = 0;
	c->leaf = c->n = c->made = 0;
	c->open[0] = (struct cp_chartspan){ 0 };
}

void
cp_chart_init(struct cp_chart *c)
{
	uint32_t levels;

	cp_lineage_init(&c->lineage, c->paths);
	levels = 1 + c->names + c->lineage.deepest;
	c->level = cp_run_alloc(c->run, levels * sizeof(*c->level));
	cp_grow_to(c->run, c->open, &c->cap, levels);
	start(c);
}

/* ------------------------------------------------------------------ widths */

/* Sixteen steps from one power of two to the next. */
static uint32_t
step_of(uint64_t width)
{
	uint32_t power = 0;

	while (width >> power > 1)
		power++;
	return power < 4 ? (uint32_t)width
			 : power * 16 + (uint32_t)(width >> (power - 4) & 15);
}

static uint64_t
least_of(uint32_t step)
{
	return step < 64 ? step
			 : (UINT64_C(16) | (step & 15)) << (step / 16 - 4);
}

/* ------------------------------------------------------------------- nodes */

/* Makes the node of what was too narrow for nodes since a span's last one. */
static void
flush_narrow(struct cp_chart *c, struct cp_chartspan *s)
{
	struct narrow *w = &s->narrow;
	uint32_t node;

	if (w->frames == 0)
		return;
	node = cp_tree_node(c->tree, c->level[s->last].node, "(narrow frames)",
	    "", CP_KIND_NONE);
	cp_tree_start(c->tree, node, w->start);
	cp_tree_narrow(c->tree, node, w->frames);
	cp_tree_add(c->tree, node, w->weight, w->samples);
	*w = (struct narrow){ 0 };
}

/* Finds the numbers in paths of a span's levels, from the first one on. */
static void
find_paths(struct cp_chart *c, const struct cp_chartspan *s)
{
	uint32_t i = s->leaf;

	if (c->reverse) {
		for (uint32_t k = c->names + 1; k <= s->last; k++) {
			c->level[k].path = i;
			i = c->paths->parent[i];
		}
		return;
	}
	for (uint32_t k = c->names + c->lineage.depth[i]; k > s[-1].last; k--) {
		c->level[k].path = i;
		i = c->paths->parent[i];
	}
}

static void
make_span(struct cp_chart *c, const struct cp_chartspan *s)
{
	find_paths(c, s);
	for (uint32_t k = s[-1].last + 1; k <= s->last; k++) {
		struct cp_chartlevel *l = &c->level[k];
		uint32_t up = l[-1].node;

		l->node = k > c->names
			      ? cp_frametext_node(c->texts, c->tree, up,
				    c->paths->frame[l->path])
			      : cp_tree_node(c->tree, up,
				    cp_run_string(c->run, c->name[k - 1]), "",
				    CP_KIND_NONE);
		cp_tree_start(c->tree, l->node, s->start);
	}
}

/* Gives nodes to those open spans that are wide enough by now. */
static void
make_nodes(struct cp_chart *c)
{
	while (
	    c->made < c->n && c->at - c->open[c->made + 1].start >= c->least) {
		flush_narrow(c, &c->open[c->made]);
		make_span(c, &c->open[++c->made]);
	}
}

/* A span's levels above `from' are done. */
static void
end_nodes(struct cp_chart *c, struct cp_chartspan *s, uint32_t from)
{
	flush_narrow(c, s);
	cp_tree_add(c->tree, c->level[s->last].node, s->self, s->samples);
	for (uint32_t k = from + 1; c->guessed != NULL && k <= s->last; k++)
		for (int how = 0; how < CP_GUESSES; how++)
			if (c->level[k].guessed[how] != 0)
				cp_tree_guess(c->tree, c->level[k].node,
				    (enum cp_guess)how,
				    c->level[k].guessed[how]);
}

/* Levels without nodes become a part of what is narrow below them. */
static void
add_narrow(struct cp_chart *c, struct narrow *to,
    const struct cp_chartspan *closed, uint32_t levels)
{
	if (to->frames == 0)
		to->start = closed->start;
	to->weight += c->at - closed->start;
	to->samples += closed->samples + closed->narrow.samples;
	to->frames += levels + closed->narrow.frames;
}

/* ------------------------------------------------------------------ levels */

/* Closes the levels of the innermost span that are above `from'. */
static void
close_span(struct cp_chart *c, uint32_t from)
{
	struct cp_chartspan *s = &c->open[c->n], closed = *s;
	bool made = c->made == c->n;

	if (c->tree == NULL)
		c->widths[step_of(c->at - s->start)] += s->last - from;
	else if (made)
		end_nodes(c, s, from);
	for (uint32_t k = from + 1; c->guessed != NULL && k <= s->last; k++)
		memset(c->level[k].guessed, 0, sizeof(c->level[k].guessed));
	s->last = from;
	s->self = s->samples = 0;
	s->narrow = (struct narrow){ 0 };
	if (from == s[-1].last) {
		c->made -= made;
		s = &c->open[--c->n];
	}
	if (!made)
		add_narrow(c, &s->narrow, &closed, closed.last - from);
}

/* Closes all levels above that one. */
static void
close_to(struct cp_chart *c, uint32_t level)
{
	while (c->open[c->n].last > level) {
		uint32_t below = c->open[c->n - 1].last;

		close_span(c, below > level ? below : level);
	}
}

static void
open_to(struct cp_chart *c, uint32_t level, uint32_t leaf)
{
	if (c->open[c->n].last < level)
		c->open[++c->n] = (struct cp_chartspan){
			.leaf = leaf, .last = level, .start = c->at
		};
}

/* Returns how many frames the stack before and this one have in common. */
static uint32_t
common(const struct cp_chart *c, uint32_t leaf)
{
	const uint32_t *parent = c->paths->parent;
	uint32_t k = 0;

	if (!c->reverse)
		return cp_lineage_common(&c->lineage, c->leaf, leaf);
	for (uint32_t i = c->leaf;
	     i != 0 && leaf != 0 && c->label[i] == c->label[leaf]; k++) {
		i = parent[i];
		leaf = parent[leaf];
	}
	return k;
}

static void
open_stack(struct cp_chart *c, uint32_t leaf)
{
	close_to(c, c->names + common(c, leaf));
	open_to(c, c->names + c->lineage.depth[leaf], leaf);
	c->leaf = leaf;
}

/* Keeps the names that the thread before had as well. */
static void
open_names(struct cp_chart *c, const cp_string_id name[CP_CHART_NAMES])
{
	uint32_t k = 0;

	while (k < c->names && k < c->open[c->n].last && c->name[k] == name[k])
		k++;
	close_to(c, k);
	c->leaf = 0;
	for (; k < c->names; k++) {
		c->name[k] = name[k];
		open_to(c, k + 1, 0);
	}
}

/* Tells the levels of guessed frames how much of them was guessed. */
static void
mark(struct cp_chart *c, const struct cp_flamerow *row)
{
	const struct cp_paths *g = c->guessed;
	uint32_t k = 0;

	for (uint32_t i = g->at[row->stack]; i != 0; i = g->parent[i]) {
		enum cp_guess how =
		    cp_frame_guess(cp_frame_get(c->run, g->frame[i]));

		k = c->reverse ? k + 1 : c->lineage.depth[c->merged_of[i]];
		if (how != CP_GUESS_NONE)
			c->level[c->names + k].guessed[how] += row->weight;
	}
}

static void
add_row(struct cp_chart *c, const struct cp_flamerow *row)
{
	open_stack(c, c->paths->at[row->stack]);
	c->open[c->n].self += row->weight;
	c->open[c->n].samples += row->samples;
	c->at += row->weight;
	if (c->tree == NULL)
		return;
	if (c->guessed != NULL)
		mark(c, row);
	make_nodes(c);
}

void
cp_chart_add(struct cp_chart *c, const struct cp_flamethread *t,
    const cp_string_id name[CP_CHART_NAMES])
{
	open_names(c, name);
	for (uint32_t i = 0; i < t->n; i++)
		add_row(c, &t->rows[i]);
}

void
cp_chart_draw(struct cp_chart *c, struct cp_tree *tree)
{
	uint64_t frames = 0;
	uint32_t step = CP_CHART_WIDTHS;

	close_to(c, 0);
	while (step > 0 && frames + c->widths[step - 1] <= MOST_FRAMES)
		frames += c->widths[--step];
	c->least = step < CP_CHART_WIDTHS ? least_of(step) : UINT64_MAX;
	c->tree = tree;
	start(c);
}

/* Closes all, and what stands on the root alone. */
void
cp_chart_end(struct cp_chart *c)
{
	close_to(c, 0);
	flush_narrow(c, &c->open[0]);
	cp_tree_add(c->tree, 0, c->open[0].self, c->open[0].samples);
}
