/* SPDX-License-Identifier: MIT */
/*
 * Time in libraries and in the kernel is spent for the program's own function
 * that calls them: each sample is credited to its innermost frame of such a
 * function.  Where there is none, it is credited to the sampled function.
 */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/code/roles.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define CALLEES 3  /* named in a sentence */
#define NEARLY 0.9 /* of a share: the rest is not worth words */
#define SPLIT 0.8  /* a function that passes on more only calls another */

struct heavy {
	struct cp_overview *r;
	struct cp_accounts *a;
	uint8_t *role;  /* by entity: enum cp_code_role + 1; 0: not known */
	uint32_t *near; /* by node: the nearest own one, or itself, upwards */
	struct cp_mass *credit;  /* by entity */
	uint32_t top;            /* the entity with most of it, CP_NO_ID */
	struct cp_percent share; /* of top */
	bool flat;               /* that is little */
};

/* What a sentence calls it: "Index::add", "libc.so.6+0x4a2b0…0x4a2f8". */
static const char *
name_of(const struct heavy *h, uint32_t entity)
{
	const struct cp_entity *e = &h->r->entities.all[entity];
	const struct cp_sum *s = &h->r->sums.sum[entity];
	const char *object = cp_word_object(h->r->run, e->dso);
	uint64_t addr = e->kind == CP_ENTITY_RANGE ? e->addr : s->addr;
	struct cp_word word;
	const char *name = NULL;
	char text[256];

	if (e->symbol != NULL || e->kind == CP_ENTITY_NO_FRAME)
		name = cp_entity_name(e, &word);
	else if (e->kind == CP_ENTITY_UNNAMED && s->addresses != 1)
		(void)snprintf(
		    text, sizeof(text), "code without names in %.100s", object);
	else
		(void)snprintf(text, sizeof(text),
		    e->extent != 0 ? "%.100s+0x%llx…0x%llx" : "%.100s+0x%llx",
		    object, (unsigned long long)addr,
		    (unsigned long long)(addr + e->extent));
	return cp_run_string(
	    h->r->run, cp_run_intern(h->r->run, name != NULL ? name : text));
}

static enum cp_code_role
role_of(struct heavy *h, uint32_t entity)
{
	uint8_t *known = &h->role[entity];

	if (*known == 0)
		*known = (uint8_t)(1 + cp_code_role(h->r->run,
					   &h->r->entities.all[entity]));
	return (enum cp_code_role)(*known - 1);
}

static bool
is_own(struct heavy *h, uint32_t entity)
{
	return cp_code_role_own(role_of(h, entity));
}

static void
credit(struct heavy *h)
{
	const struct cp_sums *s = &h->r->sums;
	const struct cp_spread *w = &s->spread;

	h->near = cp_run_alloc(h->r->run, s->paths.n * sizeof(*h->near));
	h->credit =
	    cp_run_alloc(h->r->run, h->r->entities.n * sizeof(*h->credit));
	for (uint32_t i = 1; i < s->paths.n; i++)
		h->near[i] =
		    is_own(h, s->entity[i]) ? i : h->near[s->paths.parent[i]];
	for (uint32_t k = 0; k < w->n; k++) {
		uint32_t i = w->touched[k];
		const struct cp_own *own = cp_spread_own(w, i);
		uint32_t to = h->near[i] != 0 ? h->near[i] : i;
		struct cp_mass *m = &h->credit[s->entity[to]];

		if (i == 0)
			continue;
		h->near[i] = to;
		m->weight += own->self;
		m->weight_sq += own->self_sq;
	}
}

/* Returns the heaviest code at work, but for one; CP_NO_ID: there is none. */
static uint32_t
heaviest(const struct heavy *h, uint32_t but)
{
	const struct cp_overview *r = h->r;
	uint32_t top = CP_NO_ID;
	uint64_t most = 0;

	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t e = r->sums.touched[i];
		uint64_t w = h->credit[e].weight;

		/* All the code of an object is no place in it. */
		if (e == but || cp_idle_weight(r, e) * 2 > w || w <= most ||
		    (r->entities.all[e].kind == CP_ENTITY_UNNAMED &&
			r->sums.sum[e].addresses != 1) ||
		    r->entities.all[e].kind == CP_ENTITY_NO_FRAME)
			continue;
		most = w;
		top = e;
	}
	return top;
}

static struct cp_percent
percent(struct heavy *h, uint32_t entity, struct cp_mass m)
{
	struct cp_overview *r = h->r;
	bool children = m.weight > r->sums.sum[entity].self;

	return cp_percent_of(m, cp_rows_precision_whole(&r->sure, r->all,
				    CP_NO_ID, entity, children));
}

static double
part(const struct heavy *h, uint64_t weight)
{
	return cp_share((double)weight, (double)h->r->all.mass.weight);
}

/* Says which library code it spends time in, and who calls it. */
static void
add_around(struct heavy *h, struct cp_account *x)
{
	const struct cp_sums *s = &h->r->sums;
	const struct cp_spread *w = &s->spread;
	struct cp_tally *callers = cp_tally_new(h->r->run);
	struct cp_tally *callees = cp_tally_new(h->r->run);
	uint64_t all = h->credit[h->top].weight;
	struct cp_account near = { .name = CP_A_IN_CALLEE };
	const struct cp_tally_row *row;

	for (uint32_t k = 0; k < w->n; k++) {
		uint32_t i = w->touched[k], up;
		uint64_t self = cp_spread_own(w, i)->self;

		if (i == 0 || self == 0 || s->entity[h->near[i]] != h->top)
			continue;
		if (s->entity[i] != h->top)
			cp_tally_add(callees, s->entity[i], 0, self);
		up = h->near[i];
		while (up != 0 && s->entity[up] == h->top)
			up = s->paths.parent[up];
		if (up != 0)
			cp_tally_add(callers, s->entity[up], 0, self);
	}
	row = cp_rows_heaviest(callees);
	if (row != NULL && row->weight >= all / 10) {
		near.share = cp_percent_exact(row->weight, all);
		near.where = name_of(h, (uint32_t)row->a);
		cp_account_also(h->a, x, &near);
	}
	row = cp_rows_heaviest(callers);
	if (x == NULL || row == NULL || !is_own(h, (uint32_t)row->a) ||
	    row->weight < all / 4)
		return;
	near.name = (double)row->weight >= NEARLY * (double)all
			? CP_A_CALLED_BY
			: CP_A_PARTLY_CALLED_BY;
	near.share = cp_percent_exact(row->weight, all);
	near.where = x->by = name_of(h, (uint32_t)row->a);
	cp_account_also(h->a, x, &near);
}

/* Another one that is nearly as heavy. */
static void
add_next(struct heavy *h, struct cp_account *x)
{
	uint32_t next = heaviest(h, h->top);
	double share = next != CP_NO_ID ? part(h, h->credit[next].weight) : 0;

	if (share >= cp_threshold(CP_T_HOT_FUNCTION) &&
	    h->credit[next].weight >= h->credit[h->top].weight / 2)
		cp_account_also(h->a, x,
		    CP_ACCOUNT(NEXT, .where = name_of(h, next),
			.share = cp_percent_exact(share, 1)));
}

static struct cp_account *
add_top(struct heavy *h, enum cp_account_name name)
{
	return cp_accounts_add(
	    h->a, &(struct cp_account){ .name = name,
		      .where = name_of(h, h->top),
		      .share = h->share,
		      .of = cp_event_name(h->r->run, h->r->event) });
}

/* --------------------------------------------------- how many ran at once */

/* Credits the time of one thread alone; returns the entity with most of it. */
static uint32_t
most_alone(struct heavy *h, uint64_t *most)
{
	const struct cp_sums *s = &h->r->sums;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(h->r->parallel.alone_at, &rows);
	uint64_t *by = cp_run_alloc(h->r->run, h->r->entities.n * sizeof(*by));
	uint32_t top = CP_NO_ID;

	*most = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = s->paths.at[rows[i].b], e;

		if (node == 0)
			continue;
		e = s->entity[h->near[node] != 0 ? h->near[node] : node];
		by[e] += rows[i].weight;
		if (by[e] > *most) {
			*most = by[e];
			top = e;
		}
	}
	return top;
}

/*
 * One thread alone, most of it in one function, in a program that computes:
 * more CPUs do not help there.  first: only if it is long, and in another
 * function than the one with most CPU time.
 */
static bool
tell_parallel(struct heavy *h, bool first)
{
	struct cp_parallel *p = &h->r->parallel;
	const char *online = cp_run_fact(h->r->run, "cpus-online");
	double ran;
	uint64_t in;
	uint32_t e;
	struct cp_account *x;
	char busy[32];

	if (!cp_parallel_end(p, h->r->event))
		return false;
	ran = (double)p->alone + (double)p->several;
	if ((double)p->alone < cp_threshold(CP_T_ALONE) * ran ||
	    (double)p->several < cp_threshold(CP_T_SEVERAL) * ran ||
	    p->busy < (double)p->elapsed)
		return false;
	e = most_alone(h, &in);
	if (in < p->alone / 2)
		return false;
	if (first && (e == h->top || (double)p->alone <
					 cp_threshold(CP_T_LONG_ALONE) * ran))
		return false;
	x = cp_accounts_add(h->a,
	    &(struct cp_account){ .name = first ? CP_A_LONG_ALONE : CP_A_ALONE,
		.share = cp_percent_exact(p->alone, ran),
		.next = cp_percent_exact(in, ran),
		.of = "the time that any thread ran",
		.where = name_of(h, e) });
	cp_account_also(h->a, x,
	    CP_ACCOUNT(SHARE_OF,
		.share = cp_percent_exact(
		    h->credit[e].weight, h->r->all.mass.weight),
		.of = cp_event_name(h->r->run, h->r->event)));
	(void)snprintf(
	    busy, sizeof(busy), "%.1f", p->busy / (double)p->elapsed);
	cp_account_also(
	    h->a, x, CP_ACCOUNT(CPUS_BUSY, .what = busy, .of = online));
	return true;
}

/* ---------------------------------------------------- the widest function */

static bool
is_main(const struct cp_entity *e)
{
	const char *s, *colons;

	if (cp_entity_nameless(e))
		return false;
	s = e->symbol->name;
	colons = strrchr(s, ':');
	return strcmp(s, "main") == 0 || strcmp(s, "main.main") == 0 ||
	       (colons != NULL && strcmp(colons, ":main") == 0);
}

/* Can it be the widest?  Its time is its callees', and enough to be said. */
static bool
may_be_widest(const struct heavy *h, uint32_t e)
{
	const struct cp_sum *sum = &h->r->sums.sum[e];

	return (double)h->credit[e].weight < NEARLY * (double)sum->children &&
	       part(h, sum->children) >= cp_threshold(CP_T_WIDE_FUNCTION) &&
	       h->r->entities.all[e].kind != CP_ENTITY_UNNAMED &&
	       !is_main(&h->r->entities.all[e]);
}

/* The calls of own functions by those that wide holds: (caller, callee). */
static struct cp_tally *
own_calls(struct heavy *h, const bool *wide)
{
	const struct cp_sums *s = &h->r->sums;
	const struct cp_spread *w = &s->spread;
	struct cp_tally *calls = cp_tally_new(h->r->run);

	for (uint32_t k = 0; k < w->n; k++) {
		uint32_t i = w->touched[k], up;

		if (i == 0 || !s->outermost[i] || !is_own(h, s->entity[i]))
			continue;
		up = s->paths.parent[i];
		while (up != 0 && !is_own(h, s->entity[up]))
			up = s->paths.parent[up];
		if (up != 0 && wide[s->entity[up]])
			cp_tally_add(
			    calls, s->entity[up], s->entity[i], w->total[i]);
	}
	return calls;
}

static int
compare_calls(const void *va, const void *vb)
{
	const struct cp_tally_row *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

static void
tell_widest(struct heavy *h, const struct cp_tally_row *calls, size_t n)
{
	uint32_t e = (uint32_t)calls[0].a;
	const struct cp_sum *sum = &h->r->sums.sum[e];
	char text[CALLEES * 250] = "";
	size_t at = 0;

	for (size_t i = 0;
	     i < n && i < CALLEES &&
	     part(h, calls[i].weight) >= cp_threshold(CP_T_CALLEE);
	     i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
		    i == 0 ? "" : ", ",
		    cp_account_phrase(
			h->a, CP_ACCOUNT(PART_OF,
				  .where = name_of(h, (uint32_t)calls[i].b),
				  .share = cp_percent_exact(calls[i].weight,
				      h->r->all.mass.weight))));
	cp_accounts_add(h->a,
	    CP_ACCOUNT(WIDE, .where = name_of(h, e),
		.share = percent(
		    h, e, (struct cp_mass){ sum->children, sum->children_sq }),
		.of = cp_event_name(h->r->run, h->r->event), .what = text));
}

/*
 * Finds the widest own function whose time is split among several: below main,
 * and below functions that only call it.
 */
static void
find_widest(struct heavy *h)
{
	uint32_t entities = h->r->entities.n, best = CP_NO_ID;
	bool *wide = cp_run_alloc(h->r->run, entities * sizeof(*wide));
	/* by caller: 1 + the weight of its heaviest call; 0: it calls none */
	uint64_t *heaviest =
	    cp_run_alloc(h->r->run, entities * sizeof(*heaviest));
	const struct cp_tally_row *rows;
	struct cp_tally_row *calls;
	size_t n, n_calls = 0;
	uint64_t most = 0;

	for (uint32_t e = 0; e < entities; e++)
		wide[e] = may_be_widest(h, e);
	n = cp_tally_rows(own_calls(h, wide), &rows);
	calls = cp_run_alloc(h->r->run, n * sizeof(*calls));
	for (size_t i = 0; i < n; i++)
		if (rows[i].weight >= heaviest[rows[i].a])
			heaviest[rows[i].a] = rows[i].weight + 1;
	for (uint32_t e = 0; e < entities; e++) {
		uint64_t children = h->r->sums.sum[e].children;

		if (heaviest[e] == 0 || children <= most ||
		    (double)(heaviest[e] - 1) >= SPLIT * (double)children)
			continue;
		most = children;
		best = e;
	}
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == best)
			calls[n_calls++] = rows[i];
	if (n_calls != 0)
		qsort(calls, n_calls, sizeof(*calls), compare_calls);
	if (n_calls != 0)
		tell_widest(h, calls, n_calls);
}

void
cp_heavy_show(struct cp_overview *r, struct cp_accounts *a)
{
	struct heavy h = { .r = r, .a = a };
	struct cp_account *top;
	bool first;

	h.role = cp_run_alloc(r->run, r->entities.n * sizeof(*h.role));
	credit(&h);
	h.top = heaviest(&h, CP_NO_ID);
	if (h.top != CP_NO_ID)
		h.share = percent(&h, h.top, h.credit[h.top]);
	h.flat = h.share.share < 100 * cp_threshold(CP_T_HOT_FUNCTION);
	first = tell_parallel(&h, true);
	if (!h.flat) {
		top = add_top(&h, cp_entity_nameless(&r->entities.all[h.top])
				      ? CP_A_HOT_CODE
				      : CP_A_HOT_FUNCTION);
		add_around(&h, top);
		add_next(&h, top);
	} else if (h.top != CP_NO_ID) {
		add_top(&h, CP_A_FLAT);
	}
	if (!first)
		(void)tell_parallel(&h, false);
	find_widest(&h);
	cp_hot_object_show(r,
	    &(struct cp_hot_code){
		h.top, h.top != CP_NO_ID ? h.credit[h.top].weight : 0, h.flat },
	    a);
}
