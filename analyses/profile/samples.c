/* SPDX-License-Identifier: MIT */
#include "analyses/profile/samples.h"

#include "analyses/common/dense-ids.h"

enum {
	CHUNK = 256 << 10,
	LONGEST = 64, /* bytes of a row at most, rounded up */
	/*
	 * Bits of a row's first byte: fields that equal those of the row
	 * before.
	 */
	SAME_THREAD = 1,
	SAME_EVENT = 2,
	SAME_CPU = 4,
	SAME_WEIGHT = 8,
	SAME_STACK = 16,
	NO_TIME = 32,
	SAME_CONTEXT = 64,
};

void
cp_packed_init(struct cp_packed *p, struct cp_run *run)
{
	*p = (struct cp_packed){ .run = run, .ordered = true };
}

static uint8_t *
put(uint8_t *at, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*at++ = (uint8_t)(v | 0x80);
	*at++ = (uint8_t)v;
	return at;
}

static uint64_t
get(const uint8_t **at)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (; **at & 0x80; (*at)++, shift += 7)
		v |= (uint64_t)(**at & 0x7f) << shift;
	return v | (uint64_t) * (*at)++ << shift;
}

/* Encodes signed numbers so that small magnitudes become small numbers. */
static uint64_t
fold(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t
unfold(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

static uint8_t
same_as_last(
    const struct cp_profile_sample *last, const struct cp_profile_sample *s)
{
	return (uint8_t)((s->thread == last->thread ? SAME_THREAD : 0) |
			 (s->event == last->event ? SAME_EVENT : 0) |
			 (s->cpu == last->cpu ? SAME_CPU : 0) |
			 (s->weight == last->weight ? SAME_WEIGHT : 0) |
			 (s->stack == last->stack ? SAME_STACK : 0) |
			 (s->context == last->context ? SAME_CONTEXT : 0) |
			 (s->time == CP_NO_TIME ? NO_TIME : 0));
}

static struct cp_packed_chunk *
chunk_with_room(struct cp_packed *p)
{
	struct cp_packed_chunk *c;

	if (p->chunks != 0) {
		c = &p->chunk[p->chunks - 1];
		if (c->used <= CHUNK - LONGEST)
			return c;
	}
	cp_grow_to(p->run, p->chunk, &p->cap, p->chunks);
	c = &p->chunk[p->chunks++];
	c->data = cp_run_alloc(p->run, CHUNK);
	return c;
}

void
cp_packed_add(struct cp_packed *p, const struct cp_profile_sample *s)
{
	struct cp_packed_chunk *c = chunk_with_room(p);
	uint8_t same = same_as_last(&p->last, s);
	uint8_t *at = c->data + c->used;
	uint64_t time = p->last.time;

	*at++ = same;
	if ((same & NO_TIME) == 0) {
		at = put(at, fold(s->time - time));
		p->ordered &= s->time >= time;
		time = s->time;
	}
	if ((same & SAME_THREAD) == 0)
		at = put(at, s->thread);
	if ((same & SAME_EVENT) == 0)
		at = put(at, s->event);
	if ((same & SAME_CPU) == 0)
		at = put(at, s->cpu);
	if ((same & SAME_WEIGHT) == 0)
		at = put(at, s->weight);
	if ((same & SAME_STACK) == 0)
		at = put(at, s->stack);
	if ((same & SAME_CONTEXT) == 0)
		at = put(at, s->context);
	c->used = (uint32_t)(at - c->data);
	p->last = *s;
	p->last.time = time;
	p->n++;
}

bool
cp_packed_next(const struct cp_packed *p, struct cp_packed_at *r,
    struct cp_profile_sample *s)
{
	const uint8_t *at;
	uint8_t same;

	if (r->chunk < p->chunks && r->byte >= p->chunk[r->chunk].used) {
		r->chunk++;
		r->byte = 0;
	}
	if (r->chunk >= p->chunks)
		return false;
	at = p->chunk[r->chunk].data + r->byte;
	same = *at++;
	if ((same & NO_TIME) == 0)
		r->last.time += unfold(get(&at));
	if ((same & SAME_THREAD) == 0)
		r->last.thread = (uint32_t)get(&at);
	if ((same & SAME_EVENT) == 0)
		r->last.event = (uint32_t)get(&at);
	if ((same & SAME_CPU) == 0)
		r->last.cpu = (uint32_t)get(&at);
	if ((same & SAME_WEIGHT) == 0)
		r->last.weight = get(&at);
	if ((same & SAME_STACK) == 0)
		r->last.stack = (uint32_t)get(&at);
	if ((same & SAME_CONTEXT) == 0)
		r->last.context = (uint32_t)get(&at);
	r->byte = (uint32_t)(at - p->chunk[r->chunk].data);
	*s = r->last;
	if ((same & NO_TIME) != 0)
		s->time = CP_NO_TIME;
	return true;
}

bool
cp_packed_take(
    struct cp_packed *p, struct cp_packed_at *r, struct cp_profile_sample *s)
{
	uint32_t chunk = r->chunk;
	bool read = cp_packed_next(p, r, s);

	if (r->chunk != chunk) {
		cp_run_free(p->run, p->chunk[chunk].data, CHUNK);
		p->chunk[chunk].data = NULL;
	}
	return read;
}
