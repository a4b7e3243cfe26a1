/* SPDX-License-Identifier: MIT */
#include "analyses/profile/samples.h"

enum {
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
	*p = (struct cp_packed){ .run = run,
		.blocks = cp_spill_new(run),
		.block = cp_run_alloc(run, CP_PACKED_BLOCK),
		.ordered = true };
}

void
cp_packed_clear(struct cp_packed *p)
{
	cp_spill_clear(p->blocks);
	p->n_blocks = p->at = 0;
	p->n = 0;
	p->last = (struct cp_profile_sample){ 0 };
	p->ordered = true;
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

/* Moves the block to the others, if it has anything. */
static void
end_block(struct cp_packed *p)
{
	if (p->at == 0)
		return;
	cp_grow_to(p->run, p->used, &p->cap, p->n_blocks);
	p->used[p->n_blocks++] = p->at;
	cp_spill_add(p->blocks, p->block, p->at);
	p->at = 0;
}

void
cp_packed_add(struct cp_packed *p, const struct cp_profile_sample *s)
{
	uint8_t same = same_as_last(&p->last, s);
	uint64_t time = p->last.time;
	uint8_t *at;

	if (p->at > CP_PACKED_BLOCK - LONGEST)
		end_block(p);
	at = p->block + p->at;
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
	p->at = (uint32_t)(at - p->block);
	p->last = *s;
	p->last.time = time;
	p->n++;
}

void
cp_packed_read(struct cp_packed_reader *r, struct cp_packed *p)
{
	end_block(p);
	*r = (struct cp_packed_reader){ .of = p,
		.block = cp_run_alloc(p->run, CP_PACKED_BLOCK) };
}

void
cp_packed_end(struct cp_packed_reader *r)
{
	cp_run_free(r->of->run, r->block, CP_PACKED_BLOCK);
	r->block = NULL;
}

static bool
next_block(struct cp_packed_reader *r)
{
	const struct cp_packed *p = r->of;

	if (r->blocks >= p->n_blocks)
		return false;
	r->from += r->used;
	r->used = p->used[r->blocks++];
	r->at = 0;
	r->failed = !cp_spill_read(p->blocks, r->from, r->block, r->used);
	return !r->failed;
}

bool
cp_packed_next(struct cp_packed_reader *r, struct cp_profile_sample *s)
{
	const uint8_t *at;
	uint8_t same;

	if (r->failed || (r->at >= r->used && !next_block(r)))
		return false;
	at = r->block + r->at;
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
	r->at = (uint32_t)(at - r->block);
	*s = r->last;
	if ((same & NO_TIME) != 0)
		s->time = CP_NO_TIME;
	return true;
}
