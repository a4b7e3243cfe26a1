/* SPDX-License-Identifier: MIT */
#include "base/tally.h"

#include "base/hash.h"

static void
tally_rehash(struct cp_tally *t)
{
	size_t slots = t->slots != NULL ? ((size_t)t->mask + 1) * 2 : 256;

	free(t->slots);
	t->slots = cp_xcalloc(slots, sizeof(*t->slots));
	t->mask = (uint32_t)(slots - 1);
	for (uint32_t r = 0; r < t->rows.len; r++) {
		const struct cp_tally_row *row = &t->rows.data[r];
		uint32_t i = (uint32_t)cp_mix(row->a, row->b) & t->mask;

		while (t->slots[i] != 0)
			i = (i + 1) & t->mask;
		t->slots[i] = r + 1;
	}
}

static struct cp_tally_row *
tally_row(struct cp_tally *t, uint64_t a, uint64_t b)
{
	struct cp_tally_row *row;
	uint32_t i;

	if (t->slots == NULL || t->rows.len > t->mask / 2)
		tally_rehash(t);
	for (i = (uint32_t)cp_mix(a, b) & t->mask; t->slots[i] != 0;
	     i = (i + 1) & t->mask) {
		row = &t->rows.data[t->slots[i] - 1];
		if (row->a == a && row->b == b)
			return row;
	}
	row = cp_vec_push(&t->rows);
	*row = (struct cp_tally_row) { .a = a, .b = b };
	t->slots[i] = (uint32_t)t->rows.len;
	return row;
}

void
cp_tally_add(struct cp_tally *t, uint64_t a, uint64_t b, uint64_t weight)
{
	struct cp_tally_row *row = tally_row(t, a, b);

	row->count++;
	row->weight += weight;
}

size_t
cp_tally_rows(const struct cp_tally *t, const struct cp_tally_row **out)
{
	*out = t->rows.data;
	return t->rows.len;
}

void
cp_tally_free(struct cp_tally *t)
{
	cp_vec_free(&t->rows);
	free(t->slots);
	*t = (struct cp_tally) { 0 };
}
