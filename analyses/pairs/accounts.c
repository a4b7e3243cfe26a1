/* SPDX-License-Identifier: MIT */
/*
 * What begins and ends, for the overview: of each recipe that no other command
 * tells of, the sum, the longest, and what most of it is.
 */
#include "analyses/pairs/match.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/accounts/tellers.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/record-hint.h"

/* Recipes that are shown. */
enum { SHOWN = 6 };

/* Other commands tell of these. */
static bool
is_told(const struct cp_recipe *r)
{
	static const char *const systems[] = {
		"raw_syscalls:", "syscalls:", "lock:", "block:"
	};

	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		if (strncmp(r->begin, systems[i], strlen(systems[i])) == 0)
			return true;
	return false;
}

static bool
recorded(const struct cp_run *run)
{
	struct cp_recipes r;
	bool any = false;

	/* What it finds is kept until the run ends. */
	cp_recipes_init(&r, (struct cp_run *)(uintptr_t)run);
	for (uint32_t i = 0; i < r.n; i++)
		any |= !is_told(&r.all[i]) && r.all[i].begin[0] != '\0';
	return any;
}

static bool
knows(void *state, const char *name)
{
	const struct cp_pairs *p = state;

	for (uint32_t i = 0; i < p->recipes.n; i++)
		if (strcmp(p->recipes.all[i].begin, name) == 0 ||
		    strcmp(p->recipes.all[i].end, name) == 0)
			return true;
	return false;
}

struct told {
	const struct cp_recipe *recipe;
	uint32_t row; /* that with the most time; CP_NO_ID: there is one row */
	uint64_t n, ns, longest, open, row_ns;
};

static int
compare(const void *va, const void *vb)
{
	const struct told *a = va, *b = vb;
	bool x = a->recipe->order == CP_PAIR_LIFE,
	     y = b->recipe->order == CP_PAIR_LIFE;

	if (x != y)
		return x ? 1 : -1;
	return a->ns != b->ns ? (a->ns < b->ns ? 1 : -1)
			      : strcmp(a->recipe->name, b->recipe->name);
}

/* Returns the stack with the most of what a recipe began and did not end. */
static const char *
open_at(struct cp_pairs *p, const struct cp_recipe *recipe)
{
	const struct cp_tally_row *rows, *most = NULL;
	size_t n = cp_tally_rows(p->unended, &rows);

	for (size_t i = 0; i < n; i++) {
		uint32_t of = cp_pair_recipe(p, (uint32_t)rows[i].a);

		if (&p->recipes.all[of] == recipe &&
		    (most == NULL || rows[i].weight > most->weight ||
			(rows[i].weight == most->weight &&
			    rows[i].count > most->count)))
			most = &rows[i];
	}
	if (most == NULL || cp_stack_parent(p->run, (cp_stack_id)most->b) == 0)
		return NULL;
	cp_rows_name(p->run, most, 1);
	return cp_pairs_stack(p, (cp_stack_id)most->b);
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_pairs *p = state;
	struct told *all;
	uint32_t n = 0;

	if (p->sum == NULL)
		return;
	cp_pairs_finish(p);
	all = cp_run_alloc(p->run, (p->recipes.n + 1) * sizeof(*all));
	for (uint32_t i = 0; i < p->recipes.n; i++)
		all[i] = (struct told){ .recipe = &p->recipes.all[i],
			.row = CP_NO_ID };
	for (uint32_t i = 0; i < p->rows.by.n; i++) {
		struct told *t = &all[cp_pair_recipe(p, i)];
		const struct cp_pair_row *row = &p->rows.all[i];

		t->n += row->took.n;
		t->ns += row->took.sum;
		t->open += row->open;
		if (row->took.max > t->longest)
			t->longest = row->took.max;
		if (row->took.sum > t->row_ns) {
			t->row_ns = row->took.sum;
			t->row = i;
		}
	}
	for (uint32_t i = 0; i < p->recipes.n; i++)
		if (!is_told(all[i].recipe) && all[i].n + all[i].open != 0)
			all[n++] = all[i];
	if (n != 0)
		qsort(all, n, sizeof(*all), compare);
	for (uint32_t i = 0; i < n && i < SHOWN; i++) {
		const struct told *t = &all[i];
		const char *of = t->row != CP_NO_ID && t->row_ns > t->ns / 2
				     ? cp_pairs_of(p, t->row)
				     : "";

		if (t->recipe->order != CP_PAIR_LIFE)
			cp_accounts_add(a,
			    CP_ACCOUNT(PAIRS, .what = t->recipe->name,
				.where = of[0] != '\0' ? of : NULL, .n = t->n,
				.ns = t->ns, .longest = t->longest));
		else if (t->open != 0)
			cp_accounts_add(
			    a, CP_ACCOUNT(PAIRS_OPEN, .what = t->recipe->name,
				   .where = open_at(p, t->recipe),
				   .n = t->n + t->open, .m = t->open));
	}
}

const struct cp_teller cp_pairs_teller = {
	.command = "pair",
	.what = "pairs of events",
	.record = CP_ADVICE_pairs,
	.recorded = recorded,
	.knows = knows,
	.all = true,
	.size = sizeof(struct cp_pairs),
	.begin = cp_pair_begin,
	.sample = cp_pair_sample,
	.event = cp_pair_event,
	.tell = tell,
};
