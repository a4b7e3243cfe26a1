/* SPDX-License-Identifier: MIT */
/* What is counted of a pair, and of a begin that has no end. */
#include "analyses/pairs/match.h"

uint64_t
cp_pair_bin(unsigned bin)
{
	static const unsigned step[] = { 1, 2, 5 };
	uint64_t edge = step[bin % 3];

	for (unsigned i = 0; i < bin / 3; i++)
		edge *= 10;
	return bin == 0 ? 0 : edge;
}

static unsigned
bin_of(uint64_t ns)
{
	unsigned bin = 0;
	uint64_t power = 1;

	for (; bin + 6 < CP_PAIRS_BINS && ns / 10 >= power; power *= 10)
		bin += 3;
	return bin + (ns >= 2 * power) + (ns >= 5 * power);
}

/* Puts a pair among the slowest if it is one of them; the list is short. */
static void
rank(struct cp_pairs *p, const struct cp_pair_slow *new)
{
	uint32_t i;

	if (p->n_slow == CP_PAIRS_SLOWEST &&
	    new->ns <= p->slow[CP_PAIRS_SLOWEST - 1].ns)
		return;
	if (p->n_slow < CP_PAIRS_SLOWEST)
		p->n_slow++;
	for (i = p->n_slow - 1; i > 0 && p->slow[i - 1].ns < new->ns; i--)
		p->slow[i] = p->slow[i - 1];
	p->slow[i] = *new;
}

void
cp_pairs_took(void *ctx, const struct cp_lost_wait *w, bool known)
{
	struct cp_pairs *p = ctx;
	uint64_t start = w->start > p->from ? w->start : p->from;
	uint64_t end = w->end < p->to ? w->end : p->to;
	uint32_t recipe = cp_pair_recipe(p, w->row);
	struct cp_pair_sum *sum = &p->sum[recipe];
	struct cp_pair_slow slow = { start, end - start, w->row,
		(uint32_t)(w->what[1] >> 32), (uint32_t)w->what[1],
		(cp_stack_id)w->what[0], (cp_string_id)(w->what[0] >> 32) };

	if (known && p->also != NULL)
		p->also(p->also_ctx, p, w);
	if (w->end < p->from || w->start > p->to)
		return;
	if (!known) {
		p->unknown++;
		return;
	}
	p->clipped += start != w->start || end != w->end;
	cp_quantiles_add(p->run, &p->row[w->row].took, slow.ns, start);
	p->row[w->row].self += slow.ns - w->what[2];
	p->nested |= w->what[2] != 0;
	sum->bin[bin_of(slow.ns)]++;
	sum->total[bin_of(slow.ns)] += slow.ns;
	cp_buckets_span(&p->overlap, recipe, start - p->first, end - p->first);
	if (p->recipes.all[recipe].order == CP_PAIR_LIFE)
		return;
	cp_buckets_add(&p->lengths, recipe * CP_PAIRS_BINS + bin_of(slow.ns),
	    start - p->first, 1);
	if (slow.ns < p->slower)
		return;
	cp_tally_add(p->stacks, recipe, slow.stack, slow.ns);
	rank(p, &slow);
}

void
cp_pairs_give_up(struct cp_pairs *p, const struct cp_pair_open *o)
{
	struct cp_pair_row *row = &p->row[o->row];

	if (!o->kept || o->time > p->to)
		return;
	/* An event that never occurred ends nothing; memory that is never freed
	 * leaks. */
	if (!p->recipes.ends[o->recipe] &&
	    p->recipes.all[o->recipe].order != CP_PAIR_LIFE) {
		p->endless++;
		return;
	}
	row->open++;
	p->sum[o->recipe].open++;
	/* Its end may be lost. */
	if (!cp_lost_waits_since(&p->waits, o->time) && p->last > p->first)
		cp_buckets_span(&p->overlap, o->recipe,
		    (o->time > p->from ? o->time : p->from) - p->first,
		    (p->last < p->to ? p->last : p->to) - p->first);
	cp_tally_add(p->unended, o->row, o->stack, o->value);
}
