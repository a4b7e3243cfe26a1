/* SPDX-License-Identifier: MIT */
/*
 * sums: samples added up by stack, and by function.
 *
 * SQLite could do it, ten times slower.  A function counts once per stack, even
 * if it occurs several times.
 */
#include "base/base.h"
#include "sql/data.h"

static int
compare_sums(const void *a, const void *b)
{
	const struct cp_sql_sum *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void
add_stacks(struct cp_sql_data *d)
{
	const struct cp_profile *p = d->profile;
	struct cp_map64 at = { 0 };

	for (size_t i = 0; i < p->time.len; i++) {
		uint32_t event = p->event.data[i], stack = p->stack.data[i];
		uint32_t *row =
		    cp_map64_put(&at, (uint64_t)event << 32 | stack);

		if (*row == 0) {
			*cp_vec_push(&d->sums) =
			    (struct cp_sql_sum){ .event = event,
				    .stack = stack };
			*row = (uint32_t)d->sums.len;
		}
		d->sums.data[*row - 1].samples++;
		d->sums.data[*row - 1].weight += p->weight.data[i];
	}
	cp_map64_free(&at);
	if (d->sums.len != 0)
		qsort(d->sums.data, d->sums.len, sizeof(*d->sums.data),
		    compare_sums);
}

static struct cp_sql_function *
function_of(struct cp_sql_data *d, struct cp_map64 *at, uint32_t event,
    uint32_t symbol, uint32_t object)
{
	uint64_t code =
	    (uint64_t)(symbol != 0 ? symbol : object) << 1 | (symbol != 0);
	/* Events are few; row 0 is never in the map's way. */
	uint32_t *row = cp_map64_put(at, (uint64_t)event << 33 | code);

	if (*row == 0) {
		if (symbol != 0)
			object = d->profile->symbols.data[symbol].object;
		*cp_vec_push(&d->functions) = (struct cp_sql_function){
			.event = event, .symbol = symbol, .object = object
		};
		*row = (uint32_t)d->functions.len;
	}
	return &d->functions.data[*row - 1];
}

/* Counts a function of the stack of sums[i]. */
static void
count(struct cp_sql_function *f, const struct cp_sql_sum *s, size_t i, bool top)
{
	if (top) {
		f->self_samples += s->samples;
		f->self_weight += s->weight;
	}
	if (f->last == i + 1)
		return;
	f->last = i + 1;
	f->samples += s->samples;
	f->weight += s->weight;
}

static void
add_functions(struct cp_sql_data *d, struct cp_map64 *at, size_t i)
{
	const struct cp_profile *p = d->profile;
	const struct cp_sql_sum *s = &d->sums.data[i];
	bool top = true;

	for (uint32_t node = s->stack; node != 0 || top;
	     node = p->stacks.data[node].parent) {
		const struct cp_profile_frame *f =
		    &p->frames.data[p->stacks.data[node].frame];
		uint32_t parts = CP_MAX(f->spots, 1);

		for (uint32_t k = parts; k-- != 0;) {
			uint32_t symbol =
			    f->spots != 0
				? p->spots.data[f->first_spot + k].symbol
				: f->symbol;

			count(function_of(d, at, s->event, symbol, f->object),
			    s, i, top);
			top = false;
		}
	}
}

void
cp_sql_add_up(struct cp_sql_data *d)
{
	struct cp_map64 at = { 0 };

	if (d->summed)
		return;
	d->summed = true;
	add_stacks(d);
	for (size_t i = 0; i < d->sums.len; i++)
		add_functions(d, &at, i);
	cp_map64_free(&at);
}
