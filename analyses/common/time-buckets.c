/* SPDX-License-Identifier: MIT */
#include "analyses/common/time-buckets.h"

#include <stdlib.h>
#include <string.h>

void
cp_buckets_init(
    struct cp_buckets *b, struct cp_run *run, uint32_t most, uint64_t width)
{
	*b = (struct cp_buckets){ .run = run, .most = most, .width = width };
	b->tally = cp_tally_new(run);
	b->spare = cp_tally_new(run);
}

/* Makes buckets 2^by times as wide. */
static void
rebucket(struct cp_buckets *b, unsigned by)
{
	const struct cp_tally_row *rows;
	struct cp_tally *old = b->tally;
	size_t n = cp_tally_rows(old, &rows);

	b->tally = b->spare;
	b->spare = old;
	for (size_t i = 0; i < n; i++)
		cp_tally_add(
		    b->tally, rows[i].a, rows[i].b >> by, rows[i].weight);
	cp_tally_clear(old);
	b->width <<= by;
}

/* Widens the buckets until the moment lies in one of them. */
static void
widen(struct cp_buckets *b, uint64_t since)
{
	uint64_t width = b->width;
	unsigned by = 0;

	for (; since / width >= b->most && width <= UINT64_MAX / 4; by++)
		width *= 2;
	if (by != 0)
		rebucket(b, by);
}

/* Limits the rows: with many keys each has fewer buckets, at last one. */
static void
bound(struct cp_buckets *b, uint64_t added)
{
	const struct cp_tally_row *rows;

	b->unchecked += added;
	if (b->unchecked < CP_BUCKETS_ROWS / 16)
		return;
	b->unchecked = 0;
	while (
	    b->most > 1 && cp_tally_rows(b->tally, &rows) > CP_BUCKETS_ROWS) {
		b->most = (b->most + 1) / 2;
		rebucket(b, 1);
	}
}

void
cp_buckets_add(
    struct cp_buckets *b, uint64_t key, uint64_t since, uint64_t weight)
{
	widen(b, since);
	cp_tally_add(b->tally, key, since / b->width, weight);
	bound(b, 1);
}

void
cp_buckets_span(
    struct cp_buckets *b, uint64_t key, uint64_t since, uint64_t until)
{
	uint64_t added = 0;

	widen(b, until);
	for (; since < until; added++) {
		uint64_t end = (since / b->width + 1) * b->width;

		if (end > until)
			end = until;
		cp_tally_add(b->tally, key, since / b->width, end - since);
		since = end;
	}
	bound(b, added);
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
