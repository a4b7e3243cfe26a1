/* SPDX-License-Identifier: MIT */
#include "render/page/bins.h"

#include "base/hash.h"

/* Rows that grow while samples are merged; a row's time is its first's. */
struct bins {
	CP_VEC(uint64_t) time;
	CP_VEC(uint64_t) weight;
	CP_VEC(uint64_t) bin;
	CP_VEC(uint32_t) stack;
	CP_VEC(uint32_t) thread;
	CP_VEC(uint32_t) event;
	CP_VEC(uint32_t) cpu;
	CP_VEC(uint32_t) count;
	struct cp_map64 places; /* (thread, event), then with the CPU */
	struct cp_map64 newest; /* the newest row of a place and stack */
	uint32_t n_places;
};

static void
forget(struct bins *b)
{
	b->time.len = b->weight.len = b->bin.len = b->stack.len = 0;
	b->thread.len = b->event.len = b->cpu.len = b->count.len = 0;
	cp_map64_free(&b->newest);
}

static uint32_t
number(struct bins *b, uint64_t key)
{
	uint32_t *v = cp_map64_put(&b->places, key);

	return *v != 0 ? *v : (*v = ++b->n_places);
}

/* Numbers (thread, event, CPU); pairs and triples cannot be confused. */
static uint32_t
place_of(struct bins *b, const struct cp_profile_sample *s)
{
	uint32_t pair =
	    number(b, (uint64_t)s->thread << 31 | (s->event & 0x7fffffff));

	return number(b, UINT64_C(1) << 63 | (uint64_t)pair << 32 | s->cpu);
}

static void
add_row(struct bins *b, const struct cp_profile_sample *s, uint64_t bin)
{
	*cp_vec_push(&b->time) = s->time;
	*cp_vec_push(&b->weight) = s->weight;
	*cp_vec_push(&b->bin) = bin;
	*cp_vec_push(&b->stack) = s->stack;
	*cp_vec_push(&b->thread) = s->thread;
	*cp_vec_push(&b->event) = s->event;
	*cp_vec_push(&b->cpu) = s->cpu;
	*cp_vec_push(&b->count) = 1;
}

static void
add(struct bins *b, const struct cp_profile_sample *s, uint64_t width)
{
	uint64_t bin = s->time != CP_NO_TIME ? s->time / width : CP_NO_TIME;
	uint32_t *row =
	    cp_map64_put(&b->newest, (uint64_t)place_of(b, s) << 32 | s->stack);

	if (*row != 0 && b->bin.data[*row - 1] == bin) {
		b->weight.data[*row - 1] += s->weight;
		b->count.data[*row - 1]++;
		return;
	}
	add_row(b, s, bin);
	*row = (uint32_t)b->time.len;
}

/* False: there are more rows than that. */
static bool
try(struct bins *b, const struct cp_profile *p, uint64_t width, size_t most)
{
	forget(b);
	for (size_t i = 0; i < cp_profile_samples(p); i++) {
		struct cp_profile_sample s = cp_profile_sample_at(p, i);

		add(b, &s, width);
		if (b->time.len > most)
			return false;
	}
	return true;
}

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

static struct cp_page_samples
binned(const struct cp_profile *p, size_t most)
{
	uint64_t span = span_of(p), width = span / (most + 1) + 1;
	struct bins b = { 0 };

	while (!try(&b, p, width, limit_of(width, span, most)))
		width *= 2;
	cp_map64_free(&b.places);
	cp_map64_free(&b.newest);
	cp_vec_free(&b.bin);
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
