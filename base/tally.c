/* SPDX-License-Identifier: MIT */
#include "base/tally.h"

#include "base/hash.h"

static struct cp_tally_slot
slot_of(uint64_t hash, uint32_t row)
{
	return (struct cp_tally_slot){ row + 1, (uint32_t)(hash >> 32) };
}

static void
tally_rehash(struct cp_tally *t)
{
	size_t slots = t->slots != NULL ? ((size_t)t->mask + 1) * 2 : 256;

	free(t->slots);
	t->slots = cp_xcalloc(slots, sizeof(*t->slots));
	t->mask = (uint32_t)(slots - 1);
	for (uint32_t r = 0; r < t->rows.len; r++) {
		const struct cp_tally_row *row = &t->rows.data[r];
		uint64_t h = cp_mix(row->a, row->b);
		uint32_t i = (uint32_t)h & t->mask;

		while (t->slots[i].row != 0)
			i = (i + 1) & t->mask;
		t->slots[i] = slot_of(h, r);
	}
}

static struct cp_tally_row *
tally_row(struct cp_tally *t, const struct cp_tally_add *add)
{
	struct cp_tally_row *row;
	uint32_t i;

	if (CP_UNLIKELY(t->rows.len >= t->mask / 2))
		tally_rehash(t);
	for (i = (uint32_t)add->hash & t->mask; t->slots[i].row != 0;
	     i = (i + 1) & t->mask) {
		if (t->slots[i].check != (uint32_t)(add->hash >> 32))
			continue;
		row = &t->rows.data[t->slots[i].row - 1];
		if (CP_LIKELY(row->a == add->a && row->b == add->b))
			return row;
	}
	t->slots[i] = slot_of(add->hash, (uint32_t)t->rows.len);
	row = cp_vec_push(&t->rows);
	*row = (struct cp_tally_row){ .a = add->a, .b = add->b };
	return row;
}

static inline void
row_count(struct cp_tally_row *row, uint64_t weight)
{
	row->count++;
	row->weight += weight;
	row->weight_sq += (double)weight * (double)weight;
}

static void
fetch_slot(const struct cp_tally *t, uint32_t i)
{
	if (i < t->n_waiting)
		__builtin_prefetch(
		    &t->slots[(uint32_t)t->waiting[i].hash & t->mask]);
}

/* Its slot has reached the cache by now. */
static void
fetch_row(const struct cp_tally *t, uint32_t i)
{
	uint32_t row;

	if (i >= t->n_waiting)
		return;
	row = t->slots[(uint32_t)t->waiting[i].hash & t->mask].row;
	if (row != 0)
		__builtin_prefetch(&t->rows.data[row - 1]);
}

/* Applies all that wait; meanwhile the memory of the next ones is fetched. */
static void
apply_all(struct cp_tally *t)
{
	for (uint32_t i = 0; i < 2 * CP_TALLY_AHEAD; i++)
		fetch_slot(t, i);
	for (uint32_t i = 0; i < CP_TALLY_AHEAD; i++)
		fetch_row(t, i);
	for (uint32_t i = 0; i < t->n_waiting; i++) {
		fetch_slot(t, i + 2 * CP_TALLY_AHEAD);
		fetch_row(t, i + CP_TALLY_AHEAD);
		row_count(tally_row(t, &t->waiting[i]), t->waiting[i].weight);
	}
	t->n_waiting = 0;
}

static void
put_off(struct cp_tally *t, const struct cp_tally_add *add)
{
	if (t->waiting == NULL)
		t->waiting = cp_xmalloc(CP_TALLY_WAITING * sizeof(*t->waiting));
	t->waiting[t->n_waiting++] = *add;
	if (t->n_waiting == CP_TALLY_WAITING)
		apply_all(t);
}

void
cp_tally_add(struct cp_tally *t, uint64_t a, uint64_t b, uint64_t weight)
{
	const struct cp_tally_add add = { a, b, weight, cp_mix(a, b) };

	if (CP_UNLIKELY(t->slots == NULL))
		tally_rehash(t);
	if (CP_LIKELY(t->mask < CP_TALLY_FITS))
		row_count(tally_row(t, &add), weight);
	else
		put_off(t, &add);
}

size_t
cp_tally_rows(const struct cp_tally *t, const struct cp_tally_row **out)
{
	apply_all((struct cp_tally *)(uintptr_t)t);
	*out = t->rows.data;
	return t->rows.len;
}

void
cp_tally_clear(struct cp_tally *t)
{
	t->rows.len = 0;
	t->n_waiting = 0;
	if (t->slots != NULL)
		memset(t->slots, 0, ((size_t)t->mask + 1) * sizeof(*t->slots));
}

void
cp_tally_free(struct cp_tally *t)
{
	cp_vec_free(&t->rows);
	free(t->slots);
	free(t->waiting);
	*t = (struct cp_tally){ 0 };
}
