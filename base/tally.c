/* SPDX-License-Identifier: MIT */
#include "base/tally.h"

#include "base/hash.h"

enum { DENSE_A = 8, DENSE_B = 1 << 26 };

static struct cp_tally_row *
row_new(struct cp_tally *t, uint64_t a, uint64_t b, uint32_t next)
{
	struct cp_tally_row *row = cp_vec_push(&t->rows);

	*row = (struct cp_tally_row) { .a = a, .b = b };
	*cp_vec_push(&t->next) = next;
	return row;
}

/* ------------------------------------------------------------------ dense */

static void
heads_reserve(struct cp_tally *t, size_t b)
{
	size_t n = CP_MAX(b + 1, t->head.len * 2), had = t->head.len;

	cp_vec_reserve(&t->head, n);
	memset(t->head.data + had, 0, (n - had) * sizeof(*t->head.data));
	t->head.len = n;
}

static struct cp_tally_row *
dense_row(struct cp_tally *t, uint64_t a, uint64_t b)
{
	struct cp_tally_row *row;
	uint32_t r;

	if (CP_UNLIKELY(b >= t->head.len))
		heads_reserve(t, (size_t)b);
	for (r = t->head.data[b]; r != 0; r = t->next.data[r - 1]) {
		row = &t->rows.data[r - 1];
		if (CP_LIKELY(row->a == a))
			return row;
	}
	row = row_new(t, a, b, t->head.data[b]);
	t->head.data[b] = (uint32_t)t->rows.len;
	return row;
}

/* ----------------------------------------------------------------- hashed */

static void
tally_rehash(struct cp_tally *t)
{
	size_t slots = t->slots != NULL ? ((size_t)t->mask + 1) * 2 : 256;
	uint32_t *old = t->slots, had = t->slots != NULL ? t->mask + 1 : 0;

	t->slots = cp_xcalloc(slots, sizeof(*t->slots));
	t->mask = (uint32_t)(slots - 1);
	for (uint32_t s = 0; s < had; s++) {
		const struct cp_tally_row *row;
		uint32_t i;

		if (old[s] == 0)
			continue;
		row = &t->rows.data[old[s] - 1];
		i = (uint32_t)cp_mix(row->a, row->b) & t->mask;
		while (t->slots[i] != 0)
			i = (i + 1) & t->mask;
		t->slots[i] = old[s];
	}
	free(old);
}

static struct cp_tally_row *
hashed_row(struct cp_tally *t, uint64_t a, uint64_t b)
{
	struct cp_tally_row *row;
	uint32_t i;

	if (t->slots == NULL || t->hashed > t->mask / 2)
		tally_rehash(t);
	for (i = (uint32_t)cp_mix(a, b) & t->mask; t->slots[i] != 0;
	     i = (i + 1) & t->mask) {
		row = &t->rows.data[t->slots[i] - 1];
		if (row->a == a && row->b == b)
			return row;
	}
	row = row_new(t, a, b, 0);
	t->slots[i] = (uint32_t)t->rows.len;
	t->hashed++;
	return row;
}

void
cp_tally_add(struct cp_tally *t, uint64_t a, uint64_t b, uint64_t weight)
{
	struct cp_tally_row *row = a < DENSE_A && b < DENSE_B
	    ? dense_row(t, a, b)
	    : hashed_row(t, a, b);

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
	cp_vec_free(&t->next);
	cp_vec_free(&t->head);
	free(t->slots);
	*t = (struct cp_tally) { 0 };
}
