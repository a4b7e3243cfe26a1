/* SPDX-License-Identifier: MIT */
#include "render/page/bins.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

/*
 * Rows that grow while samples are merged; a row's time is its first's, and in
 * the end that of its bin.
 *
 * Samples come in the order of time, so that only rows of the newest bin can
 * grow.  The table finds these alone: a slot that names an older row is free.
 * It stays as small as a bin, in the processor's caches.
 */
struct bins {
	CP_VEC(uint64_t) time;
	CP_VEC(uint64_t) weight;
	CP_VEC(uint32_t) stack;
	CP_VEC(uint32_t) thread;
	CP_VEC(uint32_t) event;
	CP_VEC(uint32_t) cpu;
	CP_VEC(uint32_t) count;
	uint32_t *slots; /* row + 1; a power of two of them */
	uint32_t mask;
	size_t first;    /* row of the newest bin */
	uint64_t newest; /* that bin */
	bool full;       /* wider bins have as many rows */
};

static void
add_row(struct bins *b, const struct cp_profile_sample *s, uint32_t count)
{
	*cp_vec_push(&b->time) = s->time;
	*cp_vec_push(&b->weight) = s->weight;
	*cp_vec_push(&b->stack) = s->stack;
	*cp_vec_push(&b->thread) = s->thread;
	*cp_vec_push(&b->event) = s->event;
	*cp_vec_push(&b->cpu) = s->cpu;
	*cp_vec_push(&b->count) = count;
}

static struct cp_profile_sample
row_at(const struct bins *b, size_t i)
{
	return (struct cp_profile_sample){
		.time = b->time.data[i],
		.weight = b->weight.data[i],
		.stack = b->stack.data[i],
		.thread = b->thread.data[i],
		.event = b->event.data[i],
		.cpu = b->cpu.data[i],
	};
}

static bool
alike(const struct bins *b, size_t i, const struct cp_profile_sample *s)
{
	return b->stack.data[i] == s->stack && b->thread.data[i] == s->thread &&
	       b->cpu.data[i] == s->cpu && b->event.data[i] == s->event;
}

/* The slot of the row that a sample belongs to, or a free one. */
static uint32_t *
slot_of(const struct bins *b, const struct cp_profile_sample *s)
{
	uint64_t place = cp_hash64((uint64_t)s->thread << 32 | s->cpu);
	uint64_t what = (uint64_t)s->event << 32 | s->stack;
	uint32_t i = (uint32_t)cp_hash64(place ^ what) & b->mask;

	while (b->slots[i] > b->first && !alike(b, b->slots[i] - 1, s))
		i = (i + 1) & b->mask;
	return &b->slots[i];
}

/* A larger table; the old one's rows are those of the newest bin. */
static void
grow(struct bins *b)
{
	b->mask = b->mask != 0 ? 2 * b->mask + 1 : 63;
	free(b->slots);
	b->slots = cp_xcalloc((size_t)b->mask + 1, sizeof(*b->slots));
	for (size_t i = b->first; i < b->time.len; i++) {
		struct cp_profile_sample s = row_at(b, i);

		*slot_of(b, &s) = (uint32_t)i + 1;
	}
}

static uint64_t
bin_of(uint64_t time, uint64_t width)
{
	return time != CP_NO_TIME ? time / width : CP_NO_TIME;
}

static void
add(struct bins *b, const struct cp_profile_sample *s, uint32_t count,
    uint64_t width)
{
	uint64_t bin = bin_of(s->time, width);
	uint32_t *slot;

	if (bin != b->newest)
		b->first = b->time.len;
	b->newest = bin;
	if (b->time.len - b->first >= b->mask / 4 * 3)
		grow(b);
	slot = slot_of(b, s);
	if (*slot > b->first) {
		b->weight.data[*slot - 1] += s->weight;
		b->count.data[*slot - 1] += count;
		return;
	}
	add_row(b, s, count);
	*slot = (uint32_t)b->time.len;
}

/*
 * Bins the rows again, in place, with a multiple of their width.  So no row is
 * split, and a row never moves backward in the arrays.
 */
static void
widen(struct bins *b, uint64_t width)
{
	size_t n = b->time.len;

	b->time.len = b->weight.len = b->stack.len = 0;
	b->thread.len = b->event.len = b->cpu.len = b->count.len = 0;
	b->first = 0;
	memset(b->slots, 0, ((size_t)b->mask + 1) * sizeof(*b->slots));
	for (size_t i = 0; i < n; i++) {
		struct cp_profile_sample s = row_at(b, i);

		add(b, &s, b->count.data[i], width);
	}
}

/* ------------------------------------------------- the order within a stretch
 */

struct row {
	struct cp_profile_sample s;
	uint32_t count;
};

static int
compare_rows(const void *va, const void *vb)
{
	const struct cp_profile_sample *a = &((const struct row *)va)->s;
	const struct cp_profile_sample *b = &((const struct row *)vb)->s;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void
put_row(struct bins *b, size_t i, const struct row *row)
{
	b->weight.data[i] = row->s.weight;
	b->stack.data[i] = row->s.stack;
	b->thread.data[i] = row->s.thread;
	b->event.data[i] = row->s.event;
	b->cpu.data[i] = row->s.cpu;
	b->count.data[i] = row->count;
}

static void
sort_bin(struct bins *b, size_t first, size_t end, struct row *row)
{
	size_t n = end - first;

	for (size_t k = 0; k < n; k++)
		row[k] = (struct row){ row_at(b, first + k),
			b->count.data[first + k] };
	qsort(row, n, sizeof(*row), compare_rows);
	for (size_t k = 0; k < n; k++) {
		b->time.data[first + k] = b->time.data[first];
		put_row(b, first + k, &row[k]);
	}
}

static size_t
bin_end(const struct bins *b, size_t i, uint64_t width)
{
	uint64_t bin = bin_of(b->time.data[i], width);

	while (i < b->time.len && bin_of(b->time.data[i], width) == bin)
		i++;
	return i;
}

/*
 * Within a stretch the order of time is gone.  By event, thread and stack the
 * columns pack into half the bytes, those of time into none.
 */
static void
sort_bins(struct bins *b, uint64_t width)
{
	size_t most = 0;
	struct row *row;

	for (size_t i = 0, end; i < b->time.len; i = end) {
		end = bin_end(b, i, width);
		most = CP_MAX(most, end - i);
	}
	row = cp_xcalloc(most, sizeof(*row));
	for (size_t i = 0, end; i < b->time.len; i = end) {
		end = bin_end(b, i, width);
		sort_bin(b, i, end, row);
	}
	free(row);
}

/* ------------------------------------------------------------------- widths */

static uint64_t
span_of(const struct cp_profile *p)
{
	uint64_t first = CP_NO_TIME, last = 0;

	for (size_t i = 0; i < p->time.len; i++) {
		uint64_t t = p->time.data[i];

		if (t == CP_NO_TIME)
			continue;
		first = CP_MIN(first, t);
		last = CP_MAX(last, t);
	}
	return first != CP_NO_TIME ? last - first : 0;
}

/*
 * Rows that a width may make.  Less than a hundred stretches of time show
 * little, so that twice as many rows are better than that.
 */
static size_t
limit_of(uint64_t width, uint64_t span, size_t most)
{
	if (width > span)
		return SIZE_MAX;
	return width <= span / 100 ? most : 2 * most;
}

/*
 * Widens until the rows are few enough.  Where less than a hundred stretches
 * merge hardly any rows, half as many would not either: then there are more
 * rows, and what is left of time stays.
 */
static uint64_t
fit(struct bins *b, uint64_t width, uint64_t span, size_t most)
{
	while (b->time.len > limit_of(width, span, most)) {
		size_t before = b->time.len;

		widen(b, width *= 2);
		if (width > span / 100 && b->time.len > before - before / 10)
			b->full = true;
		if (b->full)
			break;
	}
	return width;
}

static struct cp_page_samples
binned(const struct cp_profile *p, size_t most)
{
	uint64_t span = span_of(p), width = span / (most + 1) + 1;
	struct bins b = { .newest = CP_NO_TIME };

	for (size_t i = 0; i < cp_profile_samples(p); i++) {
		struct cp_profile_sample s = cp_profile_sample_at(p, i);

		add(&b, &s, 1, width);
		if (!b.full)
			width = fit(&b, width, span, most);
	}
	free(b.slots);
	sort_bins(&b, width);
	return (struct cp_page_samples){
		.n = b.time.len,
		.width = width,
		.time = b.time.data,
		.weight = b.weight.data,
		.stack = b.stack.data,
		.thread = b.thread.data,
		.event = b.event.data,
		.cpu = b.cpu.data,
		.count = b.count.data,
	};
}

struct cp_page_samples
cp_page_bin(const struct cp_profile *p, size_t most)
{
	if (cp_profile_samples(p) > most)
		return binned(p, most);
	return (struct cp_page_samples){
		.n = cp_profile_samples(p),
		.time = p->time.data,
		.weight = p->weight.data,
		.stack = p->stack.data,
		.thread = p->thread.data,
		.event = p->event.data,
		.cpu = p->cpu.data,
	};
}

void
cp_page_bin_free(struct cp_page_samples *s)
{
	if (s->count == NULL)
		return;
	free((void *)s->time);
	free((void *)s->weight);
	free((void *)s->stack);
	free((void *)s->thread);
	free((void *)s->event);
	free((void *)s->cpu);
	free((void *)s->count);
}
