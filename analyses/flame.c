/* SPDX-License-Identifier: MIT */
/*
 * flame: the samples as a weighted tree of calls, for a flame graph.
 *
 * The first level is the command; frames follow from the outermost inwards.
 * Frames of one parent that show the same text are one node, as in the usual
 * stack-collapsing scripts; a frame without symbol shows its object in
 * brackets.  Shows one event; a note names the others.
 *
 * The stacks share a trie of frames (common/call-paths.h).  It is merged by
 * text once, and each group of samples takes the nodes that it needs.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/frame-label.h"
#include "analyses/common/label.h"
#include "analyses/common/options.h"
#include "analyses/common/sample-groups.h"
#include "analyses/flame/flame.h"
#include "analyses/tasks/pools.h"

struct flame {
	struct cp_run *run;
	bool no_comm, threads, reverse, timed;
	struct cp_groups groups;
	struct cp_tally *tally;   /* group, stack */
	struct cp_flamerows rows; /* if timed */

	/* Used in finish() only. */
	struct cp_tree *tree;
	struct cp_frametexts texts;
	/* the paths of guessed nodes; --reverse: all paths */
	struct cp_paths guessed;
	struct cp_spread marks; /* weights spread over these paths */
	uint32_t *merged_of;    /* merged node by node of these paths */
	struct cp_paths merged;
	uint32_t *label; /* texts of merged nodes */
	/* By merged node: its node of the tree, and that of narrow callees. */
	uint32_t *node_of, *narrow_of;
	double least; /* weight of a node */
	/* the nodes without a merged path, by number in children */
	struct cp_index children; /* (parent, text) */
	uint32_t *nodes;
	uint32_t nodes_cap;
};

/* --order; false: it is none. */
static bool
order_of(struct flame *f)
{
	const char *order = cp_run_option(f->run, "order");

	f->timed = strcmp(order, "time") == 0;
	if (f->timed || strcmp(order, "name") == 0)
		return true;
	cp_run_diag(
	    f->run, CP_D_USAGE, "--order: `%s' is none of name, time", order);
	return false;
}

static int
flame_begin(struct cp_run *run, void *state)
{
	struct flame *f = state;
	unsigned keys = 0;

	f->run = run;
	if (!order_of(f))
		return CP_FAIL;
	f->no_comm = cp_run_option_bool(run, "no-comm");
	f->threads = cp_run_option_bool(run, "threads");
	f->reverse = cp_run_option_bool(run, "reverse");
	if (!f->no_comm)
		keys |= 1u << CP_BY_COMM;
	if (f->threads)
		keys |= 1u << CP_BY_PID | 1u << CP_BY_TID;
	cp_groups_init(&f->groups, run, keys, 0);
	f->tally = cp_tally_new(run);
	cp_flamerows_init(&f->rows, run);
	cp_index_init(&f->children, run);
	return CP_OK;
}

static int
flame_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct flame *f = state;
	uint32_t group = cp_groups_of(&f->groups, s);

	cp_tally_add(f->tally, group, s->stack, s->weight);
	if (f->timed)
		cp_flamerows_add(&f->rows, group, s);
	return CP_OK;
}

static enum cp_guess
frame_guess(const struct flame *f, cp_frame_id id)
{
	return cp_frame_guess(cp_frame_get(f->run, id));
}

/*
 * Finds the slot of the child of parent with that text; it holds 0 if the node
 * has yet to be made.
 */
static uint32_t *
child_slot(struct flame *f, uint32_t parent, cp_string_id text)
{
	uint32_t i = cp_index_put(&f->children, parent, text);

	cp_grow_to(f->run, f->nodes, &f->nodes_cap, i);
	return &f->nodes[i];
}

/* Returns the node of a frame below parent, making it if needed. */
static uint32_t
child_node(struct flame *f, uint32_t parent, cp_frame_id id)
{
	uint32_t *slot = child_slot(f, parent, cp_frametext(&f->texts, id));

	if (*slot == 0)
		*slot = cp_frametext_node(&f->texts, f->tree, parent, id);
	return *slot;
}

static uint32_t
named_node(struct flame *f, uint32_t parent, const char *name)
{
	cp_string_id text = cp_run_intern(f->run, name);
	uint32_t *slot = child_slot(f, parent, text);

	if (*slot == 0)
		*slot = cp_tree_node(f->tree, parent,
		    cp_run_string(f->run, text), "", CP_KIND_NONE);
	return *slot;
}

static const char *
thread_text(const struct cp_group *g, char text[80])
{
	struct cp_word pid, tid;

	snprintf(text, 80, "%s/%s", cp_word_id(&pid, (uint32_t)g->v[CP_BY_PID]),
	    cp_word_id(&tid, (uint32_t)g->v[CP_BY_TID]));
	return text;
}

/* Returns the node under which a group's frames hang. */
static uint32_t
group_node(struct flame *f, const struct cp_group *g)
{
	uint32_t node = 0;
	char text[80];

	if (!f->no_comm)
		node = named_node(f, node,
		    cp_run_string(f->run, (cp_string_id)g->v[CP_BY_COMM]));
	if (f->threads)
		node = named_node(f, node, thread_text(g, text));
	return node;
}

/*
 * Makes the nodes of a group's paths; frames too light to be drawn are one
 * narrow node below what they were called from.
 */
static void
grow_down(struct flame *f, uint32_t top, const struct cp_grouped *rows,
    uint32_t g, struct cp_spread *s)
{
	cp_spread_rows(s, rows, g);
	if (f->least > 0)
		cp_spread_total(s);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k], up = f->merged.parent[i];
		const struct cp_own *own = cp_spread_own(s, i);
		uint32_t *node = &f->node_of[i], *narrow = &f->narrow_of[up];

		f->narrow_of[i] = 0;
		if (i == 0) {
			*node = top;
		} else if (f->least == 0 || (double)s->total[i] >= f->least) {
			*node = cp_frametext_node(&f->texts, f->tree,
			    f->node_of[up], f->merged.frame[i]);
		} else {
			if (*narrow == 0)
				*narrow = cp_tree_node(f->tree, f->node_of[up],
				    "", "", CP_KIND_NONE);
			*node = f->narrow_of[i] = *narrow;
			cp_tree_narrow(f->tree, *node, s->total[i] != 0);
		}
		cp_tree_add(f->tree, *node, own->self, own->samples);
	}
	cp_spread_clear(s);
}

/*
 * Adds stacks from the innermost frame outwards; the trie runs the other way
 * and does not help.
 */
static void
grow_up(struct flame *f, uint32_t top, const struct cp_grouped *rows,
    uint32_t g, struct cp_spread *s)
{
	cp_spread_rows(s, rows, g);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k], node = top, at = i;
		const struct cp_own *own = cp_spread_own(s, i);

		if (own->samples == 0)
			continue;
		for (; at != 0; at = f->merged.parent[at])
			node = child_node(f, node, f->merged.frame[at]);
		cp_tree_add(f->tree, node, own->self, own->samples);
	}
	cp_spread_clear(s);
}

static void
mark_down(struct flame *f)
{
	const struct cp_spread *s = &f->marks;

	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k];

		if (i != 0)
			cp_tree_guess(f->tree, f->node_of[f->merged_of[i]],
			    frame_guess(f, f->guessed.frame[i]), s->total[i]);
	}
}

static void
mark_up(struct flame *f, uint32_t top)
{
	const struct cp_spread *s = &f->marks;

	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k], node = top;
		const struct cp_own *own = cp_spread_own(s, i);

		if (own->samples == 0)
			continue;
		for (uint32_t at = i; at != 0; at = f->guessed.parent[at]) {
			cp_frame_id id = f->guessed.frame[at];
			enum cp_guess how = frame_guess(f, id);

			node = child_node(f, node, id);
			if (how != CP_GUESS_NONE)
				cp_tree_guess(f->tree, node, how, own->self);
		}
	}
}

static void
marks_begin(struct flame *f, const struct cp_grouped *rows)
{
	struct cp_paths apart;

	cp_paths_build_inlined(&apart, f->run, rows->rows, rows->n, NULL, NULL);
	if (f->reverse)
		f->guessed = apart;
	else
		f->merged_of =
		    cp_guessed_paths(&f->guessed, &apart, &f->merged);
	cp_spread_init(&f->marks, &f->guessed, false);
}

/* Marks what was guessed of the nodes of one group, which all exist by now. */
static void
mark_group(
    struct flame *f, const struct cp_grouped *rows, uint32_t g, uint32_t top)
{
	for (size_t i = rows->first[g]; i < rows->first[g + 1]; i++) {
		const struct cp_tally_row *row = &rows->rows[rows->order[i]];

		if (f->guessed.at[row->b] != 0)
			cp_spread_add(&f->marks, row);
	}
	cp_spread_total(&f->marks);
	if (f->reverse)
		mark_up(f, top);
	else
		mark_down(f);
	cp_spread_clear(&f->marks);
}

static void
grow_begin(
    struct flame *f, const struct cp_grouped *rows, struct cp_spread *spread)
{
	uint32_t n = f->merged.n;

	cp_spread_init(spread, &f->merged, false);
	if (!f->reverse) {
		f->node_of = cp_run_alloc(f->run, n * sizeof(*f->node_of));
		f->narrow_of = cp_run_alloc(f->run, n * sizeof(*f->narrow_of));
	}
	if (f->texts.guessed)
		marks_begin(f, rows);
}

static void
grow(struct flame *f, const struct cp_grouped *rows, uint32_t event)
{
	struct cp_spread spread;

	grow_begin(f, rows, &spread);
	for (uint32_t g = 0; g < f->groups.n; g++) {
		uint32_t top;

		if (f->groups.all[g].v[CP_BY_EVENT] != event)
			continue;
		top = group_node(f, &f->groups.all[g]);
		if (f->reverse)
			grow_up(f, top, rows, g, &spread);
		else
			grow_down(f, top, rows, g, &spread);
		if (f->texts.guessed)
			mark_group(f, rows, g, top);
	}
}

static uint32_t
text_of(void *texts, cp_frame_id frame)
{
	return cp_frametext(texts, frame);
}

/* ----------------------------------------------------------- order of time */

/* The command of a group, and its thread: what group_node() has as nodes. */
static void
timed_names(struct flame *f, const struct cp_group *g,
    cp_string_id name[CP_CHART_NAMES])
{
	char text[80];

	if (!f->no_comm)
		*name++ = (cp_string_id)g->v[CP_BY_COMM];
	if (f->threads)
		*name = cp_run_intern(f->run, thread_text(g, text));
}

/* Adds all threads to the widths or to the tree. */
static void
chart_threads(struct flame *f, struct cp_chart *c,
    const struct cp_flameplace *place, uint32_t n)
{
	cp_string_id name[CP_CHART_NAMES] = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		timed_names(f, &f->groups.all[place[i].group], name);
		cp_chart_add(c, &f->rows.thread[place[i].thread], name);
	}
}

static void
grow_timed(struct flame *f, const struct cp_grouped *rows, uint32_t event)
{
	struct cp_chart *c = cp_run_alloc(f->run, sizeof(*c));
	struct cp_flameplace *place;
	uint32_t n = cp_flamerows_sort(&f->rows, &f->groups, event, &place);

	if (f->texts.guessed)
		marks_begin(f, rows);
	c->run = f->run;
	c->texts = &f->texts;
	c->paths = &f->merged;
	c->label = f->label;
	c->guessed = f->texts.guessed ? &f->guessed : NULL;
	c->merged_of = f->merged_of;
	c->names = !f->no_comm + f->threads;
	c->reverse = f->reverse;
	cp_chart_init(c);
	chart_threads(f, c, place, n);
	cp_chart_draw(c, f->tree);
	chart_threads(f, c, place, n);
	cp_chart_end(c);
}

/* Its event, and which way the tree goes if callers stand on callees. */
static struct cp_tree *
new_tree(const struct flame *f, struct cp_report *rep, uint32_t event)
{
	char title[400];

	snprintf(title, sizeof(title), "%.300s%s%s",
	    cp_event_name(f->run, event),
	    f->reverse ? ", from the innermost frame outwards" : "",
	    f->timed ? ", in order of time" : "");
	return cp_report_tree(rep, "flame", title);
}

static int
flame_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct flame *f = state;
	struct cp_grouped rows;
	uint32_t event;

	if (!cp_run_option_bool(run, "split-threads"))
		cp_pools_merge(&f->groups);
	rows = cp_groups_sort(&f->groups, f->tally);
	cp_groups_count(&f->groups, f->tally);
	event = cp_groups_main_event(&f->groups);
	if (event == CP_NO_ID) {
		/*
		 * Without samples there is a tree all the same, so --format svg
		 * still works.
		 */
		cp_report_tree(rep, "flame", "flame");
		cp_report_note(rep, "no samples: there is nothing to draw");
		return CP_OK;
	}
	f->tree = new_tree(f, rep, event);
	cp_report_event(rep, cp_event_name(run, event));
	/* What was sampled at one moment is what it is: never pale. */
	if (!f->timed && !cp_evsel_complete(cp_run_evsel(run, event)))
		cp_tree_sampled(f->tree);
	f->least = cp_run_tree_share(run) *
		   (double)cp_groups_total(&f->groups, event).weight;
	/* Frames of one parent that show the same text are one. */
	cp_rows_name(run, rows.rows, rows.n);
	cp_frametexts_init(&f->texts, run);
	f->label = cp_paths_build_inlined(
	    &f->merged, run, rows.rows, rows.n, text_of, &f->texts);
	if (f->timed)
		grow_timed(f, &rows, event);
	else
		grow(f, &rows, event);
	cp_groups_note_others(&f->groups, rep, event);
	return CP_OK;
}

static const struct cp_option flame_options[] = {
	{ "no-comm", NULL, NULL, "leave out the level of commands" },
	{ "threads", NULL, NULL, "add a level of PID/TID" },
	{ "split-threads", NULL, NULL,
	    "threads of a pool (worker/0, worker/1 ...) each by itself" },
	{ "reverse", NULL, NULL, "from the innermost frame outwards" },
	{ "order", "ORDER", "name",
	    "of siblings: name, or time: a flame chart, as SVG" },
	{ "kernel-suffix", NULL, NULL, "add _[k] to kernel symbols" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(flame) = {
	.abi = CP_ABI,
	.name = "flame",
	.summary = "the weighted tree of calls: a flame graph; cpi colours it "
		   "by CPI",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_MERGED,
	.options = flame_options,
	.state_size = sizeof(struct flame),
	.begin = flame_begin,
	.sample = flame_sample,
	.finish = flame_finish,
};
