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

/* Counts the parts that --time keeps. */
static void
overlap(struct cp_pairs *p, uint32_t recipe, uint64_t start, uint64_t end)
{
	for (uint64_t stop = end; cp_run_cut(p->run, &start, &stop);
	     start = stop, stop = end)
		cp_buckets_span(
		    &p->overlap, recipe, start - p->first, stop - p->first);
}

void
cp_pairs_took(void *ctx, const struct cp_lost_wait *w, bool known)
{
	struct cp_pairs *p = ctx;
	uint32_t recipe = cp_pair_recipe(p, w->row);
	struct cp_pair_sum *sum = &p->sum[recipe];
	struct cp_pair_row *row = &p->rows.all[w->row];
	cp_stack_id stack = (cp_stack_id)w->what[0];
	unsigned bin = bin_of(w->ns);
	uint32_t slot;

	if (known && p->also != NULL)
		p->also(p->also_ctx, p, w);
	if (!w->inside)
		return;
	if (!known) {
		p->unknown++;
		return;
	}
	p->waits.cut += w->cut;
	cp_quantiles_add(p->run, &row->took, w->ns, w->at);
	row->self += w->ns - w->what[2];
	p->nested |= w->what[2] != 0;
	sum->bin[bin]++;
	sum->total[bin] += w->ns;
	overlap(p, recipe, w->start, w->end);
	if (p->recipes.all[recipe].order == CP_PAIR_LIFE)
		return;
	cp_buckets_add(
	    &p->lengths, recipe * CP_PAIRS_BINS + bin, w->at - p->first, 1);
	if (w->ns < p->slower)
		return;
	cp_tally_add(p->stacks, recipe, stack, w->ns);
	slot = cp_slowest_put(&p->slowest, w->ns);
	if (slot != CP_NO_ID)
		p->slow[slot] = (struct cp_pair_slow){ w->at, w->end, w->row,
			(uint32_t)(w->what[1] >> 32), (uint32_t)w->what[1],
			stack, (cp_string_id)(w->what[0] >> 32) };
}

void
cp_pairs_give_up(struct cp_pairs *p, const struct cp_pair_open *o)
{
	struct cp_pair_row *row = &p->rows.all[o->row];

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
		overlap(p, o->recipe, o->time, p->last);
	cp_tally_add(p->unended, o->row, o->stack, o->value);
}
