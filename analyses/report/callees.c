/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* heaviest functions examined; most of them only call another */
#define CONSIDERED 256
#define FUNCTIONS 5 /* shown */
#define CALLEES 3   /* shown of each */
/* a function with less than 1 / LEAST of the samples is not shown */
#define LEAST 100

struct function {
	const struct cp_sums *s;
	uint32_t entity;
};

struct callee {
	const struct cp_sums *s;
	uint32_t rank; /* rank of the calling function */
	uint32_t entity;
	struct cp_mass mass;
};

struct downwards {
	const struct cp_sums *s;
	struct cp_run *run;
	struct cp_whole all;
	cp_whole_fn whole;
	void *ctx;
	struct function *functions; /* heaviest first */
	uint32_t n;
	uint32_t *rank;         /* by entity: + 1, 0: not considered */
	struct callee *callees; /* by rank, heaviest first */
	uint32_t n_callees;
};

static int
compare_entities(const struct cp_sums *s, uint32_t a, uint32_t b)
{
	const struct cp_entity *ea = &s->entities->all[a];
	const struct cp_entity *eb = &s->entities->all[b];
	int c = cp_entity_compare_symbol(ea, eb);

	if (c == 0)
		c = cp_entity_compare_dso(s->entities->run, ea, eb);
	return c != 0 ? c : (a > b) - (a < b);
}

/* Heaviest first, callers above callees. */
static int
compare_functions(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;
	const struct cp_sum *x = &a->s->sum[a->entity];
	const struct cp_sum *y = &b->s->sum[b->entity];
	int c = (x->children < y->children) - (x->children > y->children);

	if (c == 0)
		c = (x->depth > y->depth) - (x->depth < y->depth);
	return c != 0 ? c : compare_entities(a->s, a->entity, b->entity);
}

/* Keeps the CONSIDERED heaviest, in order. */
static void
consider(struct downwards *d, const struct function *f)
{
	uint32_t lo = 0, hi = d->n;

	if (d->n == CONSIDERED &&
	    compare_functions(f, &d->functions[d->n - 1]) >= 0)
		return;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (compare_functions(f, &d->functions[mid]) < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	d->n += d->n < CONSIDERED;
	memmove(&d->functions[lo + 1], &d->functions[lo],
	    (d->n - lo - 1) * sizeof(*f));
	d->functions[lo] = *f;
}

static void
find_functions(struct downwards *d)
{
	const struct cp_sums *s = d->s;

	d->functions = cp_run_alloc(d->run, CONSIDERED * sizeof(*d->functions));
	d->rank = cp_run_alloc(d->run, s->entities->n * sizeof(*d->rank));
	for (uint32_t i = 0; i < s->n; i++) {
		const struct cp_sum *sum = &s->sum[s->touched[i]];

		if (sum->children > sum->self)
			consider(d, &(struct function){
					.s = s, .entity = s->touched[i] });
	}
	for (uint32_t i = 0; i < d->n; i++)
		d->rank[d->functions[i].entity] = i + 1;
}

/* Finds the distinct calls, and in label each node's number among them. */
static void
find_calls(struct downwards *d, uint32_t *label)
{
	const uint32_t *parent = d->s->paths.parent, *entity = d->s->entity;
	struct cp_index calls;

	cp_index_init(&calls, d->run);
	label[0] = CP_NO_ID;
	for (uint32_t i = 1; i < d->s->paths.n; i++) {
		uint32_t rank = d->rank[entity[parent[i]]];

		label[i] = CP_NO_ID;
		if (parent[i] != 0 && rank != 0 &&
		    entity[parent[i]] != entity[i])
			label[i] = cp_index_put(&calls, rank - 1, entity[i]);
	}
	d->n_callees = calls.n;
	d->callees = cp_run_alloc(d->run, calls.n * sizeof(*d->callees));
	for (uint32_t i = 0; i < calls.n; i++)
		d->callees[i] = (struct callee){ .s = d->s,
			.rank = (uint32_t)calls.all[i].a,
			.entity = (uint32_t)calls.all[i].b };
	cp_index_free(&calls);
}

static int
compare_callees(const void *va, const void *vb)
{
	const struct callee *a = va, *b = vb;
	int c = (a->rank > b->rank) - (a->rank < b->rank);

	if (c == 0)
		c = (a->mass.weight < b->mass.weight) -
		    (a->mass.weight > b->mass.weight);
	return c != 0 ? c : compare_entities(a->s, a->entity, b->entity);
}

static void
sum_callees(struct downwards *d)
{
	const struct cp_spread *s = &d->s->spread;
	uint32_t nodes = d->s->paths.n;
	uint32_t *label = cp_run_alloc(d->run, nodes * sizeof(*label));
	bool *outermost = cp_run_alloc(d->run, nodes * sizeof(*outermost));

	find_calls(d, label);
	cp_paths_outermost(&d->s->paths, label, d->n_callees, outermost);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k];
		struct cp_mass *m;

		if (!outermost[i])
			continue;
		m = &d->callees[label[i]].mass;
		m->weight += s->total[i];
		m->weight_sq += s->total_sq[i];
	}
	qsort(d->callees, d->n_callees, sizeof(*d->callees), compare_callees);
	cp_run_free(d->run, label, nodes * sizeof(*label));
	cp_run_free(d->run, outermost, nodes * sizeof(*outermost));
}

/* True if the callee has at least one in twenty of the function's samples. */
static bool
matters(const struct callee *c, const struct cp_sum *of)
{
	return c->mass.weight != 0 && c->mass.weight >= of->children / 20;
}

/*
 * False for a function that passes nearly all its weight to a single callee
 * which calls others itself: the callee's row shows the same.
 */
static bool
worth_a_row(const struct downwards *d, uint32_t rank,
    const struct callee *callees, uint32_t n)
{
	const struct cp_sum *sum = &d->s->sum[d->functions[rank].entity];

	if (n == 0 || !matters(&callees[0], sum) ||
	    sum->children < d->all.mass.weight / LEAST)
		return false;
	return (double)callees[0].mass.weight < 0.95 * (double)sum->children ||
	       d->rank[callees[0].entity] <= rank + 1;
}

static void
row_show(const struct downwards *d, struct cp_table *t, struct cp_mass mass,
    uint32_t entity, struct cp_whole all, bool callee)
{
	const struct cp_entity *e = &d->s->entities->all[entity];
	struct cp_word word;
	const char *name = cp_sum_name(e, &d->s->sum[entity], &word);
	size_t size = strlen(name) + sizeof("> ");
	char *text = cp_run_alloc(d->run, size);

	cp_table_row(t);
	if (callee)
		cp_table_indent(t, 1);
	cp_table_cells(t, cp_cell_share(mass, all),
	    cp_word_object(d->run, e->dso), cp_word_level(e->level));
	snprintf(text, size, "%s%s", callee ? "> " : "", name);
	cp_table_cells(t, text);
}

static void
function_show(const struct downwards *d, struct cp_table *t, uint32_t rank,
    const struct callee *callees, uint32_t n)
{
	uint32_t entity = d->functions[rank].entity;
	const struct cp_sum *sum = &d->s->sum[entity];
	struct cp_whole whole = d->whole(d->ctx, entity);

	row_show(d, t, (struct cp_mass){ sum->children, sum->children_sq },
	    entity, whole, false);
	for (uint32_t i = 0; i < n && i < CALLEES; i++)
		if (matters(&callees[i], sum))
			row_show(d, t, callees[i].mass, callees[i].entity,
			    whole, true);
}

static struct cp_table *
table_new(struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Children"),
		CP_TEXT("Object"), CP_TEXT("Level"), CP_TEXT("Symbol") };
	struct cp_table *t = cp_report_table(rep, "functions",
	    "Heaviest functions with their heaviest callees",
	    CP_COLUMNS(columns));

	return t;
}

static void
show(const struct downwards *d, struct cp_report *rep)
{
	struct cp_table *t = NULL;
	uint32_t at = 0, shown = 0;

	for (uint32_t rank = 0; rank < d->n && shown < FUNCTIONS; rank++) {
		uint32_t first = at;

		while (at < d->n_callees && d->callees[at].rank == rank)
			at++;
		if (!worth_a_row(d, rank, &d->callees[first], at - first))
			continue;
		if (t == NULL)
			t = table_new(rep);
		function_show(d, t, rank, &d->callees[first], at - first);
		shown++;
	}
}

void
cp_downwards_show(const struct cp_sums *s, struct cp_whole all,
    cp_whole_fn whole, void *ctx, struct cp_report *rep)
{
	struct downwards d = { .s = s,
		.run = s->entities->run,
		.all = all,
		.whole = whole,
		.ctx = ctx };

	find_functions(&d);
	if (d.n == 0)
		return;
	sum_callees(&d);
	show(&d, rep);
}
