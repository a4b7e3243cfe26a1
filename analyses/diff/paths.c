/* SPDX-License-Identifier: MIT */
/*
 * paths: which call paths changed, with all below them.
 *
 * The rules are those of functions.  The witnesses of a path are what functions
 * cost outside of it.
 */
#include <math.h>
#include <stdlib.h>

#include "analyses/diff/family.h"

/* A path is hidden if one path below it explains this part of its change. */
#define EXPLAINED 0.8

static bool
is_interrupt(const struct cp_diff_symbol *s)
{
	return s->interrupt;
}

static bool
is_compiled(const struct cp_diff_symbol *s)
{
	return s->kind == CP_KIND_JIT;
}

/* Marks the nodes of such functions, and all that they call. */
static bool *
mark(const struct cp_diff *d, bool (*is)(const struct cp_diff_symbol *))
{
	const struct cp_diff_tree *t = &d->tree;
	const struct cp_pair *node = t->nodes.all;
	bool *marked = cp_run_alloc(d->run, t->n);

	for (uint32_t i = 1; i < t->n; i++)
		marked[i] =
		    marked[node[i].a] || is(&d->profiles.symbol[node[i].b - 1]);
	return marked;
}

static struct cp_diff_family
family_of(const struct cp_diff *d, const bool *inside)
{
	const struct cp_diff_result *r = d->tree.result;
	uint32_t n = d->tree.n;
	struct cp_diff_family f = cp_diff_family_new(d->run, n);

	for (uint32_t i = 0; i < n; i++)
		if (i != 0 && !inside[i] && !d->cut_off && d->lacks == NULL &&
		    (r[i].before >= d->min_share * r[0].before ||
			r[i].after >= d->min_share * r[0].after))
			cp_diff_family_ask(&f, i, &r[i]);
		else
			f.p[i] = f.sampling[i] = NAN;
	return f;
}

static struct cp_diff_subject
path_of(const struct cp_diff *d, uint32_t node, const bool *compiled)
{
	return (struct cp_diff_subject){ .result = &d->tree.result[node],
		.cells = &d->tree.total[(size_t)node * d->n_runs],
		.compiled = compiled[node] };
}

/* Tests whether paths that changed did so by more than the others. */
static void
ask_witnesses(const struct cp_diff *d, const struct cp_diff_family *f,
    struct cp_diff_family *own, const bool *compiled)
{
	struct cp_diff_witnesses *w = cp_diff_witnesses(d);

	for (uint32_t i = 1; i < d->tree.n; i++) {
		struct cp_diff_subject path = path_of(d, i, compiled);

		if (!(f->sampling[i] < d->alpha))
			continue;
		cp_diff_witnesses_outside(w, i);
		cp_diff_beyond(w, &path, own, i);
	}
}

void
cp_diff_paths_judge(struct cp_diff *d)
{
	/* Code in interrupts is not tested. */
	const bool *inside = mark(d, is_interrupt);
	const bool *compiled = mark(d, is_compiled);
	struct cp_diff_tree *t = &d->tree;
	struct cp_diff_family f = family_of(d, inside);
	struct cp_diff_family own = family_of(d, inside);

	d->path = cp_run_alloc(d->run, t->n * sizeof(*d->path));
	cp_diff_family_correct(d->run, &f);
	if (cp_diff_needs_witnesses(d))
		ask_witnesses(d, &f, &own, compiled);
	cp_diff_family_correct(d->run, &own);
	for (uint32_t i = 1; i < t->n; i++) {
		struct cp_diff_subject s = path_of(d, i, compiled);

		t->result[i].p = f.p[i];
		t->result[i].p_sampling = f.sampling[i];
		d->path[i] = cp_diff_verdict_of_row(d, &s, &own, i);
	}
}

/* ------------------------------------------------------------------- table */

struct ranked {
	double delta;
	uint32_t node;
};

static int
compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	double da = fabs(a->delta), db = fabs(b->delta);

	if (da < db || da > db)
		return da > db ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static double
delta_of(const struct cp_diff_tree *t, uint32_t node)
{
	return t->result[node].after - t->result[node].before;
}

static size_t
choose(const struct cp_diff *d, struct ranked *out)
{
	const struct cp_diff_tree *t = &d->tree;
	bool *explained = cp_run_alloc(d->run, t->n * sizeof(*explained));
	size_t n = 0;

	for (uint32_t i = t->n; i-- > 1;) {
		uint32_t up = (uint32_t)t->nodes.all[i].a;

		if (d->path[i] != CP_DIFF_CHANGED)
			continue;
		if (delta_of(t, i) / delta_of(t, up) > EXPLAINED)
			explained[up] = true;
		if (!explained[i])
			out[n++] = (struct ranked){ delta_of(t, i), i };
	}
	if (n != 0)
		qsort(out, n, sizeof(*out), compare_ranked);
	return n;
}

void
cp_diff_paths_show(const struct cp_diff *d, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_CHANGE("Change"),
		CP_CHANCE("p"), CP_SHARE("Before"), CP_SHARE("After"),
		CP_TEXT("Path") };
	const struct cp_diff_tree *t = &d->tree;
	struct ranked *chosen = cp_run_alloc(d->run, t->n * sizeof(*chosen));
	size_t n = choose(d, chosen);
	struct cp_table *table;

	if (d->cut_off)
		return;
	table = cp_report_table(rep, "paths",
	    "Call paths that changed, with all below them; shares are of their "
	    "side",
	    CP_COLUMNS(columns));

	for (size_t i = 0; i < n && (d->top == 0 || i < d->top); i++) {
		const struct cp_diff_result *r = &t->result[chosen[i].node];

		cp_table_add(table, cp_cell_value(r->change, r->lo, r->hi),
		    r->p, r->before / t->result[0].before,
		    r->after / t->result[0].after,
		    cp_diff_tree_path(t, d->run, chosen[i].node));
	}
	if (d->top != 0 && n > d->top)
		cp_table_rest(table, n - d->top, 0);
}
