/* SPDX-License-Identifier: MIT */
/*
 * levels: compares what both sides have.
 *
 * An object that has names on one side only is compared as a whole.  Call paths
 * are compared only if neither side's stacks are proved to be cut off: a
 * function where many of its stacks begin is called by others on the other.
 */
#include <stdio.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* Names are there, or lacking, if these parts of an object have them. */
#define HAS_NAMES 0.5
#define LACKS_NAMES 0.2
/* Stacks are cut off if this part of them is. */
#define CUT_OFF 0.2

struct object {
	double named[2], unnamed[2]; /* weights by side */
	uint32_t largest[2];         /* symbols */
	double most[2];
	bool merged;
	uint32_t as; /* symbol of the whole object */
};

/*
 * Objects that only one side has are one: a program that has another name after
 * it was built again.
 */
struct objects {
	struct object *all; /* by number of text; the last is of one side */
	uint8_t *sides;     /* the same */
	uint32_t n;
};

static struct object *
object_of(struct objects *o, const struct cp_diff_profiles *p, uint32_t symbol)
{
	uint32_t in = (uint32_t)p->keys.all[symbol].b;

	return &o->all[in >= o->n || o->sides[in] != 3 ? o->n : in];
}

static void
add_node(struct cp_diff *d, struct objects *o, const struct cp_diff_profile *p,
    uint32_t i, bool after)
{
	struct object *at = object_of(o, &d->profiles, p->symbol[i]);
	bool named = d->profiles.symbol[p->symbol[i]].kind != CP_KIND_UNKNOWN;

	(named ? at->named : at->unnamed)[after] += p->self[i];
	if (p->self[i] > at->most[after]) {
		at->most[after] = p->self[i];
		at->largest[after] = p->symbol[i];
	}
}

static struct objects
measure(struct cp_diff *d)
{
	struct cp_diff_profiles *p = &d->profiles;
	struct objects o = { .n = p->texts.n };

	o.all = cp_run_alloc(d->run, (o.n + 1) * sizeof(*o.all));
	o.sides = cp_run_alloc(d->run, o.n + 1);
	for (uint32_t r = 0; r < p->n; r++)
		for (uint32_t i = 1; i < p->all[r].n; i++)
			if (p->all[r].self[i] > 0)
				o.sides[p->keys.all[p->all[r].symbol[i]].b] |=
				    r < d->runs.before ? 1 : 2;
	for (uint32_t r = 0; r < p->n; r++)
		for (uint32_t i = 1; i < p->all[r].n; i++)
			if (p->all[r].self[i] > 0)
				add_node(
				    d, &o, &p->all[r], i, r >= d->runs.before);
	return o;
}

/* True if one side has names of it, and the other hardly any. */
static bool
is_one_sided(const struct object *o, bool *after)
{
	double part[2];

	for (unsigned side = 0; side < 2; side++) {
		double all = o->named[side] + o->unnamed[side];

		if (!(all > 0))
			return false;
		part[side] = o->named[side] / all;
	}
	*after = part[1] > part[0];
	return part[*after] > HAS_NAMES && part[!*after] < LACKS_NAMES;
}

/* Makes a row of the whole object. */
static void
merge(struct cp_diff *d, struct object *o, bool after)
{
	struct cp_diff_profiles *p = &d->profiles;
	const char *from = p->symbol[o->largest[0]].object;
	const char *to = p->symbol[o->largest[1]].object;
	char name[200];

	if (strcmp(from, to) == 0)
		snprintf(name, sizeof(name), from[0] == '[' ? "%s" : "[%.190s]",
		    from);
	else
		snprintf(name, sizeof(name), "[%.90s, %.90s]", from, to);
	o->merged = true;
	o->as = cp_diff_symbol_put(p, name, to);
	cp_diff_remark(d,
	    "%.180s has names %s only: it is compared as a whole.", name,
	    after ? "after" : "before");
}

void
cp_diff_levels_names(struct cp_diff *d)
{
	struct cp_diff_profiles *p = &d->profiles;
	uint32_t symbols = p->keys.n;
	struct objects o = measure(d);
	bool after;

	for (uint32_t i = 0; i <= o.n; i++)
		if (is_one_sided(&o.all[i], &after))
			merge(d, &o.all[i], after);
	for (uint32_t s = 0; s < symbols; s++) {
		const struct object *at = object_of(&o, p, s);

		if (!at->merged || s == at->as)
			continue;
		p->symbol[s].same = at->as;
		p->symbol[s].inlined = true;
	}
}

/* ------------------------------------------------------------------ stacks */

/* Weights of stacks by symbol: those that begin there, and others in it. */
struct places {
	double *first, *inside, all;
};

static void
add_stacks(
    const struct cp_diff *d, const struct cp_diff_profile *p, struct places *to)
{
	double *total = cp_run_alloc(d->run, p->n * sizeof(*total));

	for (uint32_t i = p->n; i-- > 1;) {
		uint32_t s = d->profiles.symbol[p->symbol[i]].same;

		total[i] += p->self[i];
		total[p->parent[i]] += total[i];
		if (p->parent[i] == 0)
			to->first[s] += total[i];
		else if (d->profiles.symbol[p->symbol[p->parent[i]]].kind !=
			 CP_KIND_UNKNOWN)
			to->inside[s] += total[i];
	}
	to->all += total[0];
}

void
cp_diff_levels_stacks(struct cp_diff *d)
{
	size_t size = (d->n_rows + 1) * sizeof(double);
	struct places side[2];
	double cut[2] = { 0 };
	bool after;

	for (unsigned k = 0; k < 2; k++)
		side[k] = (struct places){ cp_run_alloc(d->run, size),
			cp_run_alloc(d->run, size), 0 };
	for (uint32_t r = 0; r < d->n_runs; r++)
		add_stacks(d, &d->profiles.all[r], &side[r >= d->runs.before]);
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t s = 0; s < d->n_rows && side[k].all > 0; s++)
			if (side[!k].inside[s] > side[!k].first[s])
				cut[k] += side[k].first[s] / side[k].all;
	after = cut[1] > cut[0];
	d->cut_off = cut[after] > CUT_OFF && cut[!after] < cut[after] / 2;
	if (d->cut_off)
		cp_diff_remark(d,
		    "Stacks are cut off %s (%.0f %% of them): call paths are "
		    "not compared.",
		    after ? "after" : "before", cut[after] * 100);
}
