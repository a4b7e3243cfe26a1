/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <string.h>

#include "analyses/code/roles.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define NEARLY 0.9 /* of a share: the rest is not worth words */

struct hot {
	struct cp_overview *r;
	const struct cp_hot_code *top;
	struct cp_accounts *a;
};

/* What CPUs do that have no work costs nothing. */
uint64_t
cp_idle_weight(const struct cp_overview *r, uint32_t entity)
{
	return r->idle != NULL ? r->idle[entity] : 0;
}

struct object {
	const struct cp_run *run;
	cp_string_id name;
};

static bool
is_of_object(const void *ctx, const struct cp_seen *seen)
{
	const struct object *o = ctx;
	cp_frame_id f = cp_stack_frame(o->run, seen->stack);
	uint32_t dso = f != 0 ? cp_frame_get(o->run, f)->dso : 0;

	return dso != 0 && cp_run_dso(o->run, dso)->short_name == o->name;
}

/* The heaviest code of the object that is no function with a name. */
static const char *
heaviest_range(struct hot *h, cp_string_id object, struct cp_word *at)
{
	const struct cp_overview *r = h->r;

	for (uint32_t i = 0; i < r->n_symbols; i++) {
		const struct cp_entity *e = cp_overview_heaviest(r, i);

		if (e->dso == 0 || e->kind != CP_ENTITY_RANGE ||
		    cp_run_dso(r->run, e->dso)->short_name != object)
			continue;
		(void)cp_entity_name(e, at);
		return at->text;
	}
	return NULL;
}

/* Is the heaviest code in the object? */
static bool
is_of_top(const struct hot *h, uint32_t dso)
{
	const struct cp_run *run = h->r->run;

	return h->top->entity != CP_NO_ID &&
	       strcmp(cp_word_object(run, dso),
		   cp_word_object(
		       run, h->r->entities.all[h->top->entity].dso)) == 0;
}

static void
tell_object(struct hot *h, uint32_t dso, struct cp_mass mass)
{
	struct cp_overview *r = h->r;
	struct object o = { r->run, cp_run_dso(r->run, dso)->short_name };
	enum cp_code_role role = cp_object_role(r->run, dso);
	struct cp_account x = { .name = CP_A_HOT_OBJECT,
		.where = cp_run_string(r->run, o.name),
		.what = role != CP_ROLE_PROGRAM ? cp_code_role_name(role) : "",
		.share = cp_percent_of(mass,
		    cp_precision_whole(r->sure.view, r->all, is_of_object, &o)),
		.of = cp_event_name(r->run, r->event) };
	struct cp_word at;

	if (role == CP_ROLE_PROGRAM && x.share.share > 100 * NEARLY)
		return;
	if (!is_of_top(h, dso))
		x.call = heaviest_range(h, o.name, &at);
	cp_accounts_add(h->a, &x);
}

/*
 * Finds the heaviest object: a library with a known role, or one whose
 * functions have no names, if the heaviest code does not say as much.
 */
void
cp_hot_object_show(struct cp_overview *of, const struct cp_hot_code *top,
    struct cp_accounts *a)
{
	struct hot hot = { of, top, a }, *h = &hot;
	const struct cp_overview *r = h->r;
	struct cp_tally *nameless = cp_tally_new(r->run);
	const struct cp_tally_row *rows, *most = NULL;
	struct cp_mass *mass = cp_run_alloc(
	    r->run, (cp_run_dso_count(r->run) + 1) * sizeof(*mass));
	uint32_t *first = NULL, n_first = 0;
	size_t n;

	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t e = r->sums.touched[i];
		const struct cp_entity *x = &r->entities.all[e];
		const struct cp_sum *s = &r->sums.sum[e];
		uint64_t work = s->self - (cp_idle_weight(r, e) < s->self
						  ? cp_idle_weight(r, e)
						  : s->self);
		cp_string_id name;

		if (x->dso == 0 || work == 0 ||
		    cp_object_role(r->run, x->dso) == CP_ROLE_OF_KERNEL)
			continue;
		name = cp_run_dso(r->run, x->dso)->short_name;
		cp_grow_to(h->r->run, first, &n_first, name);
		if (first[name] == 0)
			first[name] = x->dso;
		mass[first[name]].weight += work;
		mass[first[name]].weight_sq += s->self_sq;
		cp_tally_add(
		    nameless, first[name], 0, cp_entity_nameless(x) ? work : 0);
	}
	n = cp_tally_rows(nameless, &rows);
	for (size_t i = 0; i < n; i++) {
		uint32_t dso = (uint32_t)rows[i].a;
		bool own = cp_object_role(r->run, dso) == CP_ROLE_PROGRAM;
		bool told = is_of_top(h, dso) &&
			    ((own && !h->top->flat) ||
				(double)h->top->weight >=
				    NEARLY * (double)mass[dso].weight);

		if (told || (own && rows[i].weight < mass[dso].weight / 2))
			continue;
		if (most == NULL || mass[dso].weight > mass[most->a].weight)
			most = &rows[i];
	}
	if (most != NULL)
		tell_object(h, (uint32_t)most->a, mass[most->a]);
}
