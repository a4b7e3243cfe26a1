/* SPDX-License-Identifier: MIT */
#include "analyses/diff/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_FRAMES 8

static uint32_t
child(struct cp_diff_tree *t, uint32_t parent, uint32_t symbol)
{
	return cp_index_put(&t->nodes, parent, (uint64_t)symbol + 1);
}

static void
cell_add(struct cp_diff_cell *to, double weight, double sq, uint64_t samples)
{
	to->weight += weight;
	to->weight_sq += sq;
	to->samples += samples;
}

/* Profiles of other tools have no marks: those of one side are no change. */
static bool
all_have_marks(const struct cp_diff_profiles *p)
{
	for (uint32_t r = 0; r < p->n; r++) {
		bool has = p->all[r].samples == 0;

		for (uint32_t i = 1; i < p->all[r].n && !has; i++)
			has = p->symbol[p->all[r].symbol[i]].lost_caller;
		if (!has)
			return false;
	}
	return true;
}

static bool
counts_as_caller(
    const struct cp_diff_tree *t, const struct cp_diff_symbol *s, uint32_t up)
{
	if (s->lost_caller)
		return !t->marks;
	return t->profiles->symbol[s->same].into_callers
		   ? up != 0
		   : s->inlined && t->nodes.all[up].b == s->same + 1u;
}

/* Maps the nodes of a profile to those of the tree. */
static uint32_t *
place(
    struct cp_diff_tree *t, struct cp_run *run, const struct cp_diff_profile *p)
{
	uint32_t *at = cp_run_alloc(run, p->n * sizeof(*at));

	for (uint32_t i = 1; i < p->n; i++) {
		const struct cp_diff_symbol *s =
		    &t->profiles->symbol[p->symbol[i]];
		uint32_t up = at[p->parent[i]];

		at[i] = counts_as_caller(t, s, up) ? up : child(t, up, s->same);
	}
	return at;
}

/* Slices show this much even if samples come one by one. */
#define USUAL_DISPERSION 1.75

/*
 * Computes a path's bursts from those of its functions, which may coincide:
 * adds up each function's, weighted by its part in the path.
 */
static void
add_bursts(
    struct cp_diff_tree *t, uint32_t runs, const struct cp_diff_cell *functions)
{
	for (size_t i = runs; i < (size_t)t->n * runs; i++) {
		size_t symbol = t->nodes.all[i / runs].b - 1;
		const struct cp_diff_cell *f =
		    &functions[symbol * runs + i % runs];

		if (f->weight > 0)
			t->self[i].dispersion =
			    fmax(0, f->dispersion - USUAL_DISPERSION) *
			    t->self[i].weight / f->weight;
	}
}

static void
add_totals(struct cp_diff_tree *t, uint32_t runs)
{
	memcpy(t->total, t->self, (size_t)t->n * runs * sizeof(*t->total));
	for (uint32_t i = t->n; i-- > 1;) {
		uint32_t parent = (uint32_t)t->nodes.all[i].a;

		for (uint32_t r = 0; r < runs; r++) {
			const struct cp_diff_cell *c =
			    &t->total[(size_t)i * runs + r];

			cell_add(&t->total[(size_t)parent * runs + r],
			    c->weight, c->weight_sq, c->samples);
			t->total[(size_t)parent * runs + r].dispersion +=
			    c->dispersion;
		}
	}
	for (size_t i = 0; i < (size_t)t->n * runs; i++)
		t->total[i].dispersion += 1;
}

/*
 * Numbers the nodes so that those below a node come after it, without others in
 * between.
 */
static void
put_in_order(struct cp_diff_tree *t, struct cp_run *run)
{
	uint32_t *next = cp_run_alloc(run, t->n * sizeof(*next));

	t->order = cp_run_alloc(run, t->n * sizeof(*t->order));
	t->place = cp_run_alloc(run, t->n * sizeof(*t->place));
	t->size = cp_run_alloc(run, t->n * sizeof(*t->size));
	for (uint32_t i = t->n; i-- > 0;) {
		t->size[i]++;
		if (i != 0)
			t->size[t->nodes.all[i].a] += t->size[i];
	}
	next[0] = 1;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t *at = &next[t->nodes.all[i].a];

		t->place[i] = *at;
		t->order[*at] = i;
		next[i] = *at + 1;
		*at += t->size[i];
	}
}

void
cp_diff_tree_build(struct cp_diff_tree *t, struct cp_run *run,
    const struct cp_diff_profiles *p, const struct cp_diff_cell *functions)
{
	size_t size;

	*t = (struct cp_diff_tree){ .profiles = p,
		.marks = all_have_marks(p),
		.at = cp_run_alloc(run, p->n * sizeof(*t->at)) };
	cp_index_init(&t->nodes, run);
	cp_index_put(&t->nodes, 0, 0);
	for (uint32_t r = 0; r < p->n; r++)
		t->at[r] = place(t, run, &p->all[r]);
	t->n = t->nodes.n;
	size = (size_t)t->n * p->n;
	t->self = cp_run_alloc(run, size * sizeof(*t->self));
	t->total = cp_run_alloc(run, size * sizeof(*t->total));
	for (uint32_t r = 0; r < p->n; r++)
		for (uint32_t i = 0; i < p->all[r].n; i++)
			cell_add(&t->self[(size_t)t->at[r][i] * p->n + r],
			    p->all[r].self[i], p->all[r].self_sq[i],
			    p->all[r].count[i]);
	add_bursts(t, p->n, functions);
	add_totals(t, p->n);
	put_in_order(t, run);
}

void
cp_diff_tree_test(
    struct cp_diff_tree *t, struct cp_run *run, const struct cp_diff_runs *runs)
{
	uint32_t n = runs->before + runs->after;

	t->result = cp_run_alloc(run, t->n * sizeof(*t->result));
	for (uint32_t i = 0; i < t->n; i++)
		t->result[i] = cp_diff_test(runs, &t->total[(size_t)i * n]);
}

const char *
cp_diff_tree_path(
    const struct cp_diff_tree *t, struct cp_run *run, uint32_t node)
{
	const char *name[SHOWN_FRAMES];
	uint32_t n = 0;
	size_t size = 8;
	char *text;

	for (; node != 0 && n < SHOWN_FRAMES; n++) {
		name[n] = t->profiles->symbol[t->nodes.all[node].b - 1].name;
		size += strlen(name[n]) + 1;
		node = (uint32_t)t->nodes.all[node].a;
	}
	text = cp_run_alloc(run, size);
	if (node != 0)
		strcpy(text, "...;");
	while (n-- > 0) {
		strcat(text, name[n]);
		if (n != 0)
			strcat(text, ";");
	}
	return text;
}

/* ------------------------------------------------------------------ flames */

/* Returns the shade of a change: grey if its interval includes no change. */
static double
shade(const struct cp_diff_result *r)
{
	double most = fmax(r->before, r->after);

	if (r->samples_before + r->samples_after < 10 || most <= 0)
		return NAN;
	if (r->lo <= 0 && r->hi >= 0)
		return 0;
	return fmax(-1, fmin(1, log2((r->after + most / 1000) /
				     (r->before + most / 1000))));
}

static double
self_mean(const struct cp_diff_tree *t, const struct cp_diff_runs *runs,
    uint32_t node, bool after, uint64_t *samples)
{
	uint32_t n = runs->before + runs->after;
	uint32_t from = after ? runs->before : 0;
	uint32_t to = after ? n : runs->before;
	double sum = 0;

	*samples = 0;
	for (uint32_t r = from; r < to; r++) {
		const struct cp_diff_cell *c = &t->self[(size_t)node * n + r];

		sum += c->weight / runs->norm[r] / (to - from);
		*samples += c->samples;
	}
	return sum;
}

/* Adds to `by` the guessed weight of one capture, by node and kind of guess. */
static void
add_guesses(const struct cp_diff_tree *t, struct cp_run *run, uint32_t r,
    double scale, double *by)
{
	const struct cp_diff_profile *p = &t->profiles->all[r];
	const uint32_t *at = t->at[r];
	double *total;

	if (p->guess == NULL)
		return;
	total = cp_run_alloc(run, p->n * sizeof(*total));
	for (uint32_t i = p->n; i-- > 1;) {
		total[i] += p->self[i];
		total[p->parent[i]] += total[i];
		/*
		 * Frames that count as their caller are in its weight already.
		 */
		if (p->guess[i] != CP_GUESS_NONE && at[i] != at[p->parent[i]])
			by[(size_t)at[i] * CP_GUESSES + p->guess[i]] +=
			    total[i] * scale;
	}
}

static void
mark(const struct cp_diff_tree *t, struct cp_run *run,
    const struct cp_diff_runs *runs, bool after, struct cp_tree *tree,
    const uint32_t *node)
{
	uint32_t from = after ? runs->before : 0;
	uint32_t to = after ? runs->before + runs->after : runs->before;
	size_t n = (size_t)t->n * CP_GUESSES;
	double *by = cp_run_alloc(run, n * sizeof(*by));

	for (uint32_t r = from; r < to; r++)
		add_guesses(t, run, r, 1 / runs->norm[r] / (to - from), by);
	for (size_t i = 0; i < n; i++)
		if (by[i] > 0)
			cp_tree_guess(tree, node[i / CP_GUESSES],
			    (enum cp_guess)(i % CP_GUESSES),
			    cp_diff_whole(by[i]));
}

/*
 * Adds a weight to the sum so far; returns by how much its whole part grows.
 * Costs of a run may be parts of a sample: each of them is off by at most one,
 * and so is what is above them, however many they are.
 */
static uint64_t
grow(double *sum, double weight)
{
	uint64_t from = cp_diff_whole(*sum);

	*sum += weight;
	return cp_diff_whole(*sum) - from;
}

/* Writes how many captures a side has besides the first. */
static const char *
put_more(char text[40], uint32_t n)
{
	text[0] = '\0';
	if (n > 1)
		snprintf(text, 40, " and %" PRIu32 " more", n - 1);
	return text;
}

/*
 * A picture says what is compared with what: its heading is of one capture.
 * Names are whole: a part of one would not be found and redacted.
 */
static struct cp_tree *
new_flame(const struct cp_diff_tree *t, struct cp_run *run,
    const struct cp_diff_runs *runs, struct cp_report *rep, bool by_before)
{
	const char *before = t->profiles->all[0].name;
	const char *after = t->profiles->all[runs->before].name;
	size_t size = strlen(before) + strlen(after) + 120;
	char *title = cp_run_alloc(run, size), more[2][40];

	snprintf(title, size, "Change, as wide as %s: %s%s to %s%s",
	    by_before ? "before" : "after", before,
	    put_more(more[0], runs->before), after,
	    put_more(more[1], runs->after));
	return cp_report_tree(rep, by_before ? "flame-before" : "flame", title);
}

static void
flame(const struct cp_diff_tree *t, struct cp_run *run,
    const struct cp_diff_runs *runs, struct cp_report *rep, bool by_before)
{
	struct cp_tree *tree = new_flame(t, run, runs, rep, by_before);
	uint32_t *node = cp_run_alloc(run, t->n * sizeof(*node));
	double sum_after = 0, sum_before = 0;

	cp_tree_scale(tree, CP_SCALE_CHANGE, 0, "change");
	if (by_before)
		cp_tree_reverse(tree);
	for (uint32_t k = 0; k < t->n; k++) {
		uint64_t samples, dropped;
		uint32_t i = t->order[k];
		double after = self_mean(t, runs, i, true, &samples);
		double before = self_mean(t, runs, i, false, &dropped);
		const struct cp_diff_symbol *s;

		if (i != 0) {
			s = &t->profiles->symbol[t->nodes.all[i].b - 1];
			node[i] = cp_tree_node(tree, node[t->nodes.all[i].a],
			    s->name, s->object, (enum cp_kind)s->kind);
		}
		cp_tree_add(tree, node[i], grow(&sum_after, after),
		    by_before ? dropped : samples);
		cp_tree_before(tree, node[i], grow(&sum_before, before));
		cp_tree_value(tree, node[i], shade(&t->result[i]));
	}
	mark(t, run, runs, !by_before, tree, node);
}

void
cp_diff_tree_flames(const struct cp_diff_tree *t, struct cp_run *run,
    const struct cp_diff_runs *runs, struct cp_report *rep)
{
	flame(t, run, runs, rep, false);
	flame(t, run, runs, rep, true);
}
