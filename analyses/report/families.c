/* SPDX-License-Identifier: MIT */
/*
 * Families: functions of one class, namespace, crate, package or module, or of
 * one known role, that are small each and large together.
 */
#include "analyses/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/code/families.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define MEMBERS 3 /* named in a sentence */
#define WHOLE 0.8 /* of the event: a family with more is the program itself */
enum { FAMILY = 120 };

struct family {
	const char *name;
	struct cp_mass mass;
	uint32_t n;             /* functions */
	uint32_t best[MEMBERS]; /* entities, heaviest first */
};

struct families {
	struct cp_overview *r;
	struct cp_index keys; /* interned name, 0 */
	struct family *all;
	uint32_t cap;
};

static void
add(struct families *f, cp_string_id name, uint32_t entity)
{
	const struct cp_sum *sum = f->r->sums.sum;
	uint32_t n = f->keys.n, i = cp_index_put(&f->keys, name, 0);
	struct family *to;
	uint32_t at = MEMBERS;

	cp_grow_to(f->r->run, f->all, &f->cap, i);
	to = &f->all[i];
	if (i == n)
		to->name =
		    cp_run_string(f->r->run, (cp_string_id)f->keys.all[i].a);
	to->mass.weight += sum[entity].self;
	to->mass.weight_sq += sum[entity].self_sq;
	while (at > 0 &&
	       (at > to->n || sum[entity].self > sum[to->best[at - 1]].self))
		at--;
	for (uint32_t k = MEMBERS - 1; k > at; k--)
		to->best[k] = to->best[k - 1];
	if (at < MEMBERS)
		to->best[at] = entity;
	to->n++;
}

static void
tell(const struct families *f, const struct family *of, struct cp_accounts *a)
{
	struct cp_overview *r = f->r;
	char text[MEMBERS * (FAMILY + 16)] = "";
	struct cp_word word;
	size_t at = 0;

	for (uint32_t i = 0; i < of->n && i < MEMBERS; i++) {
		uint32_t e = of->best[i];

		at += (size_t)snprintf(text + at, sizeof(text) - at,
		    "%s%.*s %s", i != 0 ? ", " : "", FAMILY - 20,
		    cp_run_name_short(
			r->run, cp_entity_name(&r->entities.all[e], &word)),
		    cp_word_percent(&(struct cp_word){ 0 },
			(double)r->sums.sum[e].self,
			(double)r->all.mass.weight));
	}
	cp_accounts_add(
	    a, CP_ACCOUNT(FAMILY, .where = of->name, .n = of->n,
		   .share = cp_percent_of(of->mass, r->all),
		   .of = cp_event_name(r->run, r->event), .what = text));
}

void
cp_families_show(struct cp_overview *r, struct cp_accounts *a)
{
	struct families f = { .r = r };
	const struct family *most = NULL;
	uint64_t first = 0;
	double all = (double)r->all.mass.weight;

	cp_index_init(&f.keys, r->run);
	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t e = r->sums.touched[i];
		uint64_t self = r->sums.sum[e].self;
		struct cp_families of;

		if (self == 0)
			continue;
		of = cp_code_families(r->run, &r->entities.all[e]);
		for (unsigned k = 0; k < of.n; k++)
			add(&f, of.of[k], e);
		if (self > first && cp_idle_weight(r, e) * 2 <= self)
			first = self;
	}
	for (uint32_t i = 0; i < f.keys.n; i++) {
		const struct family *of = &f.all[i];

		if (of->n >= 2 && of->mass.weight > first &&
		    (double)of->mass.weight < WHOLE * all &&
		    (most == NULL || of->mass.weight > most->mass.weight ||
			(of->mass.weight == most->mass.weight &&
			    strlen(of->name) > strlen(most->name))))
			most = of;
	}
	if (most != NULL)
		tell(&f, most, a);
}
