/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/symbols.c: the heaviest symbols, each with the paths that
 * lead to it.
 */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/code/families.h"
#include "analyses/common/label.h"
#include "analyses/common/options.h"
#include "analyses/precision/apart.h"

#define PATH_LENGTH 3 /* callers that tell one path from another */
#define PATHS 2       /* shown per symbol */

struct cp_overview_symbol {
	const struct cp_overview *r;
	struct cp_sum sum;
	uint32_t entity;
};

struct path {
	const struct cp_overview *r;
	struct cp_mass self, children;
	uint32_t rank;                /* of its symbol */
	uint32_t caller[PATH_LENGTH]; /* entities, CP_NO_ID: none */
};

/* Ranges that have much of the event shown. */
static void
find_ranges(struct cp_overview *r, const struct cp_grouped *rows)
{
	struct cp_tally_row *of =
	    cp_run_alloc(r->run, (rows->n + 1) * sizeof(*of));
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (r->events.all[rows->rows[i].a].v[CP_BY_EVENT] == r->event)
			of[n++] = rows->rows[i];
	cp_ranges_find(&r->entities, &r->paths, of, n, NULL);
	cp_run_free(r->run, of, (rows->n + 1) * sizeof(*of));
}

static void
sum_stacks(struct cp_overview *r)
{
	struct cp_grouped rows = cp_groups_sort(&r->events, r->stacks);

	cp_rows_name(r->run, rows.rows, rows.n);
	cp_paths_build_inlined(
	    &r->paths, r->run, rows.rows, rows.n, NULL, NULL);
	cp_entities_init(&r->entities, r->run, r->paths.frames, true, true);
	r->entities.unnamed_as_one = true;
	find_ranges(r, &rows);
	cp_paths_free(&r->paths);
	cp_sums_init(&r->sums, r->run, &r->entities, rows.rows, rows.n, true);
	for (uint32_t g = 0; g < r->events.n; g++) {
		if (r->events.all[g].v[CP_BY_EVENT] != r->event)
			continue;
		for (size_t i = rows.first[g]; i < rows.first[g + 1]; i++)
			cp_sums_add(&r->sums, &rows.rows[rows.order[i]]);
	}
	cp_sums_finish(&r->sums);
}

static int
compare_entities(const struct cp_overview *r, uint32_t a, uint32_t b)
{
	const struct cp_entity *ea = &r->entities.all[a];
	const struct cp_entity *eb = &r->entities.all[b];
	int c = cp_entity_compare_symbol(ea, eb);

	if (c == 0)
		c = cp_entity_compare_dso(r->run, ea, eb);
	return c != 0 ? c : (a > b) - (a < b);
}

static int
compare_symbols(const void *va, const void *vb)
{
	const struct cp_overview_symbol *a = va, *b = vb;
	int c = (a->sum.self < b->sum.self) - (a->sum.self > b->sum.self);

	if (c == 0)
		c = (a->sum.children < b->sum.children) -
		    (a->sum.children > b->sum.children);
	return c != 0 ? c : compare_entities(a->r, a->entity, b->entity);
}

/* Sorts the symbols that have samples of their own. */
static void
sort_symbols(struct cp_overview *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->sums.n; i++)
		n += r->sums.sum[r->sums.touched[i]].self != 0;
	r->symbols = cp_run_alloc(r->run, n * sizeof(*r->symbols));
	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t entity = r->sums.touched[i];

		if (r->sums.sum[entity].self != 0)
			r->symbols[r->n_symbols++] =
			    (struct cp_overview_symbol){ .r = r,
				    .entity = entity,
				    .sum = r->sums.sum[entity] };
	}
	qsort(r->symbols, r->n_symbols, sizeof(*r->symbols), compare_symbols);
	r->n_shown = r->n_symbols;
	if (r->top != 0 && r->top < r->n_shown)
		r->n_shown = (uint32_t)r->top;
}

/*
 * Returns the next caller of another row.  All code of an object without names
 * is one row, so a caller in the same row adds nothing.
 */
static uint32_t
next_caller(const struct cp_overview *r, uint32_t node)
{
	uint32_t entity = r->sums.entity[node];
	bool as_one = r->entities.all[entity].kind == CP_ENTITY_UNNAMED;

	do
		node = r->sums.paths.parent[node];
	while (as_one && node != 0 && r->sums.entity[node] == entity);
	return node;
}

/* Finds the callers of a node, nearest first; CP_NO_ID above the outermost. */
static void
callers_of(const struct cp_overview *r, uint32_t node,
    uint32_t caller[static PATH_LENGTH])
{
	for (int i = 0; i < PATH_LENGTH; i++) {
		if (node != 0)
			node = next_caller(r, node);
		caller[i] = node != 0 ? r->sums.entity[node] : CP_NO_ID;
	}
}

/* Finds the distinct paths, and in label each node's number among them. */
static struct path *
find_paths(const struct cp_overview *r, uint32_t *label, uint32_t *n)
{
	uint32_t *rank = cp_run_alloc(r->run, r->entities.n * sizeof(*rank));
	struct path *paths = NULL;
	struct cp_index index;
	uint32_t cap = 0;

	cp_index_init(&index, r->run);
	for (uint32_t i = 0; i < r->n_shown; i++)
		rank[r->symbols[i].entity] = i + 1;
	label[0] = CP_NO_ID;
	for (uint32_t i = 1; i < r->sums.paths.n; i++) {
		struct path p = { .r = r, .rank = rank[r->sums.entity[i]] - 1 };

		label[i] = CP_NO_ID;
		if (p.rank == CP_NO_ID)
			continue;
		callers_of(r, i, p.caller);
		label[i] =
		    cp_index_put(&index, (uint64_t)p.rank << 32 | p.caller[0],
			(uint64_t)p.caller[1] << 32 | p.caller[2]);
		cp_grow_to(r->run, paths, &cap, label[i]);
		paths[label[i]] = p;
	}
	*n = index.n;
	cp_index_free(&index);
	cp_run_free(r->run, rank, r->entities.n * sizeof(*rank));
	return paths;
}

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
compare_paths(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;
	int c = (a->rank > b->rank) - (a->rank < b->rank);

	if (c == 0)
		c = descending(a->self.weight, b->self.weight);
	if (c == 0)
		c = descending(a->children.weight, b->children.weight);
	for (int i = 0; c == 0 && i < PATH_LENGTH; i++) {
		uint32_t x = a->caller[i], y = b->caller[i];

		if (x == CP_NO_ID || y == CP_NO_ID)
			c = (x > y) - (x < y);
		else
			c = compare_entities(a->r, x, y);
	}
	return c;
}

/*
 * True if a path is worth a row: one in twenty samples came by it; for a second
 * path one in four, and enough of all samples.
 */
static bool
path_matters(
    const struct path *p, const struct cp_overview_symbol *s, int shown)
{
	uint64_t weight = p->self.weight;

	if (p->caller[0] == CP_NO_ID || weight == 0)
		return false;
	if (shown == 0)
		return weight >= s->sum.self / 20;
	return weight >= s->sum.self / 4 &&
	       weight >= p->r->all.mass.weight / 100;
}

static void
mass_add(struct cp_mass *m, uint64_t weight, double weight_sq)
{
	m->weight += weight;
	m->weight_sq += weight_sq;
}

/*
 * Adds up the paths that lead to the symbols shown; returns those that may be
 * shown, heaviest first.  Does any path have callers?  If not, a symbol's share
 * with callees equals its own.
 */
static struct path *
sum_paths(const struct cp_overview *r, uint32_t *n, bool *callers)
{
	const struct cp_spread *s = &r->sums.spread;
	uint32_t nodes = r->sums.paths.n;
	uint32_t *label = cp_run_alloc(r->run, nodes * sizeof(*label));
	bool *outermost = cp_run_alloc(r->run, nodes * sizeof(*outermost));
	struct path *paths = find_paths(r, label, n);
	uint32_t kept = 0;

	cp_paths_outermost(&r->sums.paths, label, *n, outermost);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k];
		const struct cp_own *own = cp_spread_own(s, i);

		if (label[i] == CP_NO_ID)
			continue;
		mass_add(&paths[label[i]].self, own->self, own->self_sq);
		if (outermost[i])
			mass_add(&paths[label[i]].children, s->total[i],
			    s->total_sq[i]);
	}
	*callers = false;
	for (uint32_t i = 0; i < *n; i++) {
		*callers |= paths[i].caller[0] != CP_NO_ID;
		if (path_matters(&paths[i], &r->symbols[paths[i].rank], 0))
			paths[kept++] = paths[i];
	}
	*n = kept;
	if (kept != 0)
		qsort(paths, kept, sizeof(*paths), compare_paths);
	cp_run_free(r->run, label, nodes * sizeof(*label));
	cp_run_free(r->run, outermost, nodes * sizeof(*outermost));
	return paths;
}

/* The whole of a symbol's shares; its paths have the same dispersion. */
struct sure {
	struct cp_whole self, children;
};

static struct sure
symbol_sure(struct cp_overview *r, const struct cp_overview_symbol *s)
{
	return (struct sure){ cp_rows_precision_whole(
				  &r->sure, r->all, CP_NO_ID, s->entity, false),
		cp_rows_precision_whole(
		    &r->sure, r->all, CP_NO_ID, s->entity, true) };
}

/*
 * Writes a caller as "< name".  A caller without a name shows its object,
 * because the column of objects has the symbol's.
 */
static int
caller_text(const struct cp_overview *r, uint32_t entity, const char *before,
    char *to, size_t size)
{
	const struct cp_entity *e = &r->entities.all[entity];
	const char *object = cp_word_object(r->run, e->dso);
	bool bare = *object == '['; /* [unknown] */
	struct cp_word word;

	if (e->kind == CP_ENTITY_UNNAMED && e->frames > 1)
		return snprintf(to, size, "%s< %s%.4098s%s", before,
		    bare ? "" : "[", object, bare ? "" : "]");
	return snprintf(to, size, "%s< %.4050s%s%.4100s", before,
	    e->kind == CP_ENTITY_RANGE ? object : "",
	    e->kind == CP_ENTITY_RANGE ? "+" : "", cp_entity_name(e, &word));
}

static void
path_show(struct cp_overview *r, struct cp_table *t, const struct path *p,
    const struct sure *sure)
{
	char text[PATH_LENGTH * 8160];
	size_t n = 0;

	for (int i = 0; i < PATH_LENGTH && p->caller[i] != CP_NO_ID; i++) {
		int more = caller_text(r, p->caller[i], i == 0 ? "" : " ",
		    text + n, sizeof(text) - n);

		n += more > 0 ? (size_t)more : 0;
	}
	cp_table_add(t, cp_cell_share(p->self, sure->self),
	    cp_cell_share(p->children, sure->children), "", "", text);
	cp_table_indent(t, 1);
}

static void
symbol_show(struct cp_overview *r, struct cp_table *t,
    const struct cp_overview_symbol *s, const struct sure *sure, bool callers)
{
	const struct cp_entity *e = &r->entities.all[s->entity];
	struct cp_word word;

	cp_table_add(
	    t, cp_cell_share((struct cp_mass){ s->sum.self, s->sum.self_sq },
		   sure->self));
	if (callers)
		cp_table_cells(t,
		    cp_cell_share(
			(struct cp_mass){ s->sum.children, s->sum.children_sq },
			sure->children));
	cp_table_cells(t, cp_word_object(r->run, e->dso),
	    cp_word_level(e->level), cp_sum_name(e, &s->sum, &word));
}

const struct cp_entity *
cp_overview_heaviest(const struct cp_overview *r, uint32_t rank)
{
	return &r->entities.all[r->symbols[rank].entity];
}

void
cp_overview_note_precision(struct cp_overview *r, struct cp_report *rep)
{
	struct cp_apart apart = { .n = 0 };

	for (uint32_t i = 0; i < r->n_symbols && i < 2; i++) {
		const struct cp_overview_symbol *s = &r->symbols[i];

		cp_apart_row(&apart,
		    (struct cp_mass){ s->sum.self, s->sum.self_sq },
		    cp_rows_precision_whole(
			&r->sure, r->all, CP_NO_ID, s->entity, false));
	}
	cp_apart_note(&apart, r->run, r->event, rep);
}

void
cp_overview_sum(struct cp_overview *r)
{
	sum_stacks(r);
	sort_symbols(r);
}

void
cp_overview_symbols(struct cp_overview *r, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Object"),
		CP_TEXT("Level"), CP_TEXT("Symbol") };
	struct cp_table *t =
	    cp_event_table(&r->events, rep, "symbols", r->event);
	uint32_t n, at = 0;
	bool callers;
	const struct path *paths = sum_paths(r, &n, &callers);
	uint64_t rest = 0;

	cp_table_column(t, CP_SHARE("Self"));
	if (callers)
		cp_table_column(t, CP_SHARE("Children"));
	cp_table_columns(t, CP_COLUMNS(columns));
	for (uint32_t i = 0; i < r->n_shown; i++) {
		struct sure sure = symbol_sure(r, &r->symbols[i]);
		int shown = 0;

		symbol_show(r, t, &r->symbols[i], &sure, callers);
		for (; at < n && paths[at].rank == i; at++)
			if (shown < PATHS &&
			    path_matters(&paths[at], &r->symbols[i], shown)) {
				path_show(r, t, &paths[at], &sure);
				shown++;
			}
	}
	for (uint32_t i = r->n_shown; i < r->n_symbols; i++)
		rest += r->symbols[i].sum.self;
	if (r->n_shown < r->n_symbols)
		cp_table_rest(t, r->n_symbols - r->n_shown, rest);
	cp_table_whole(t, r->all.mass.weight);
}
