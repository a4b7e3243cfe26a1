/* SPDX-License-Identifier: MIT */
#include "analyses/flame/chart.h"

/* Frames with a node.  With narrow ones between them a picture has twice. */
#define MOST_FRAMES 8000

/* What is too narrow for nodes, between two nodes. */
struct narrow {
	uint64_t start, weight, samples, frames;
};

struct cp_chartlevel {
	uint32_t at;   /* number in paths */
	uint32_t node; /* of the tree, if the level is made */
	uint64_t start;
	uint64_t self, samples; /* of stacks that end here */
	struct narrow narrow;
	uint64_t guessed[CP_GUESSES];
};

void
cp_chart_init(struct cp_chart *c)
{
	const struct cp_paths *p = c->paths;
	uint32_t deepest = 0;

	c->depth = cp_run_alloc(c->run, p->n * sizeof(*c->depth));
	for (uint32_t i = 1; i < p->n; i++) {
		c->depth[i] = c->depth[p->parent[i]] + 1;
		deepest = c->depth[i] > deepest ? c->depth[i] : deepest;
	}
	c->path = cp_run_alloc(c->run, (deepest + 1) * sizeof(*c->path));
	cp_grow_to(c->run, c->open, &c->cap, deepest);
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

void
cp_chart_draw(struct cp_chart *c, struct cp_tree *tree)
{
	uint64_t frames = 0;
	uint32_t step = CP_CHART_WIDTHS;

	while (step > 0 && frames + c->widths[step - 1] <= MOST_FRAMES)
		frames += c->widths[--step];
	c->least = step < CP_CHART_WIDTHS ? least_of(step) : UINT64_MAX;
	c->tree = tree;
	c->at = 0;
}

/* ------------------------------------------------------------------- nodes */

static void
flush_narrow(struct cp_chart *c, struct cp_chartlevel *l)
{
	struct narrow *w = &l->narrow;
	uint32_t node;

	if (w->frames == 0)
		return;
	node =
	    cp_tree_node(c->tree, l->node, "(narrow frames)", "", CP_KIND_NONE);
	cp_tree_start(c->tree, node, w->start);
	cp_tree_narrow(c->tree, node, w->frames);
	cp_tree_add(c->tree, node, w->weight, w->samples);
	*w = (struct narrow){ 0 };
}

/* Gives nodes to those open frames that are wide enough by now. */
static void
make_nodes(struct cp_chart *c)
{
	while (c->tree != NULL && c->made < c->n &&
	       c->at - c->open[c->made + 1].start >= c->least) {
		struct cp_chartlevel *up = &c->open[c->made];
		struct cp_chartlevel *l = &c->open[++c->made];

		flush_narrow(c, up);
		l->node = cp_frametext_node(
		    c->texts, c->tree, up->node, c->paths->frame[l->at]);
		cp_tree_start(c->tree, l->node, l->start);
	}
}

static void
end_node(struct cp_chart *c, struct cp_chartlevel *l)
{
	flush_narrow(c, l);
	cp_tree_add(c->tree, l->node, l->self, l->samples);
	for (int how = 0; how < CP_GUESSES; how++)
		if (l->guessed[how] != 0)
			cp_tree_guess(c->tree, l->node, (enum cp_guess)how,
			    l->guessed[how]);
}

/* A frame without a node becomes a part of what is narrow below its caller. */
static void
add_narrow(struct cp_chart *c, struct narrow *to, const struct cp_chartlevel *l)
{
	if (to->frames == 0)
		to->start = l->start;
	to->weight += c->at - l->start;
	to->samples += l->samples + l->narrow.samples;
	to->frames += 1 + l->narrow.frames;
}

/* ------------------------------------------------------------------ levels */

/* Closes all levels above the first n. */
static void
close_to(struct cp_chart *c, uint32_t n)
{
	for (; c->n > n; c->n--) {
		struct cp_chartlevel *l = &c->open[c->n];

		if (c->tree == NULL) {
			c->widths[step_of(c->at - l->start)]++;
		} else if (c->n > c->made) {
			add_narrow(c, &c->open[c->n - 1].narrow, l);
		} else {
			end_node(c, l);
			c->made--;
		}
	}
}

/*
 * Finds what a stack has in common with the levels that are open.  Puts the
 * rest into path, innermost first from its end on, or if `reverse' outermost
 * last; returns the length of the common part.
 */
static uint32_t
common(struct cp_chart *c, uint32_t leaf, uint32_t *rest)
{
	const struct cp_paths *p = c->paths;
	uint32_t i = leaf, k = 0;

	*rest = 0;
	if (!c->reverse) {
		while (c->depth[i] > c->n || c->open[c->depth[i]].at != i) {
			c->path[(*rest)++] = i;
			i = p->parent[i];
		}
		return c->depth[i];
	}
	while (
	    i != 0 && k < c->n && c->label[c->open[k + 1].at] == c->label[i]) {
		i = p->parent[i];
		k++;
	}
	for (; i != 0; i = p->parent[i])
		c->path[(*rest)++] = i;
	return k;
}

static void
open_stack(struct cp_chart *c, uint32_t leaf)
{
	uint32_t rest, k = common(c, leaf, &rest);

	close_to(c, k);
	for (uint32_t j = 0; j < rest; j++)
		c->open[++c->n] = (struct cp_chartlevel){
			.at = c->path[c->reverse ? j : rest - 1 - j],
			.start = c->at
		};
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

		k = c->reverse ? k + 1 : c->depth[c->merged_of[i]];
		if (how != CP_GUESS_NONE)
			c->open[k].guessed[how] += row->weight;
	}
}

void
cp_chart_add(struct cp_chart *c, const struct cp_flamethread *t)
{
	close_to(c, 0);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cp_flamerow *row = &t->rows[i];

		open_stack(c, c->paths->at[row->stack]);
		c->open[c->n].self += row->weight;
		c->open[c->n].samples += row->samples;
		if (c->guessed != NULL)
			mark(c, row);
		c->at += row->weight;
		make_nodes(c);
	}
}

void
cp_chart_begin(struct cp_chart *c, uint32_t top)
{
	c->n = c->made = 0;
	c->open[0] = (struct cp_chartlevel){ .node = top, .start = c->at };
}

void
cp_chart_end(struct cp_chart *c)
{
	close_to(c, 0);
	if (c->tree != NULL)
		end_node(c, &c->open[0]);
}
