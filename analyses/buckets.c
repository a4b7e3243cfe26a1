/* SPDX-License-Identifier: MIT */
#include "analyses/buckets.h"

#include <stdlib.h>
#include <string.h>

void
cp_buckets_init(struct cp_buckets *b, struct cp_run *run, uint32_t most,
    uint64_t width)
{
	*b = (struct cp_buckets) { .run = run, .most = most, .width = width };
	b->tally = cp_tally_new(run);
	b->spare = cp_tally_new(run);
}

/* Buckets twice as wide, until the moment lies in one of them. */
static void
widen(struct cp_buckets *b, uint64_t since)
{
	const struct cp_tally_row *rows;
	struct cp_tally *old;
	unsigned by = 0;
	size_t n;

	while (since / b->width >= b->most && b->width <= UINT64_MAX / 4) {
		b->width *= 2;
		by++;
	}
	if (by == 0)
		return;
	old = b->tally;
	n = cp_tally_rows(old, &rows);
	b->tally = b->spare;
	b->spare = old;
	for (size_t i = 0; i < n; i++)
		cp_tally_add(
		    b->tally, rows[i].a, rows[i].b >> by, rows[i].weight);
	cp_tally_clear(old);
}

void
cp_buckets_add(
    struct cp_buckets *b, uint64_t key, uint64_t since, uint64_t weight)
{
	widen(b, since);
	cp_tally_add(b->tally, key, since / b->width, weight);
}

void
cp_buckets_span(
    struct cp_buckets *b, uint64_t key, uint64_t since, uint64_t until)
{
	widen(b, until);
	while (since < until) {
		uint64_t end = (since / b->width + 1) * b->width;

		if (end > until)
			end = until;
		cp_tally_add(b->tally, key, since / b->width, end - since);
		since = end;
	}
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct cp_tally_row *a = pa, *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

size_t
cp_buckets_rows(const struct cp_buckets *b, struct cp_tally_row **out)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(b->tally, &rows);

	*out = cp_run_alloc(b->run, (n + 1) * sizeof(**out));
	if (n == 0)
		return 0;
	memcpy(*out, rows, n * sizeof(**out));
	qsort(*out, n, sizeof(**out), compare_rows);
	return n;
}
