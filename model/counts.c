/* SPDX-License-Identifier: MIT */
#include "model/counts.h"

#include "base/limits.h"

/* A counter that was reset has counted what it has now. */
static uint64_t
added(uint64_t now, uint64_t *before)
{
	uint64_t n = now >= *before ? now - *before : now;

	*before = now;
	return n;
}

bool
cp_counts_add(struct cp_counts *c, uint64_t id, const struct cp_reading *r)
{
	struct cp_last_count *last;
	struct cp_reading *new;
	uint32_t *slot;

	if (c->readings.len >= CP_MAX_READINGS)
		return false;
	slot = cp_map64_put(&c->by_id, id);
	if (*slot == 0) {
		*cp_vec_push(&c->counters) = (struct cp_last_count){ 0 };
		*slot = (uint32_t)c->counters.len;
	}
	last = &c->counters.data[*slot - 1];
	new = cp_vec_push(&c->readings);
	*new = *r;
	new->round = (uint32_t)c->times.len;
	new->value = added(r->value, &last->value);
	new->enabled = added(r->enabled, &last->enabled);
	new->running = added(r->running, &last->running);
	return true;
}

void
cp_counts_round(struct cp_counts *c, uint64_t time, bool final)
{
	/* The whole is over when its last interval is. */
	c->pub.elapsed = CP_MAX(c->pub.elapsed, time);
	c->pub.unended &= !final;
	if (!final && c->times.len < CP_MAX_READINGS)
		*cp_vec_push(&c->times) = time;
}

const struct cp_stat *
cp_counts_public(struct cp_counts *c)
{
	if (c->readings.len == 0 && !c->pub.begun)
		return NULL;
	c->pub.readings = c->readings.data;
	c->pub.n = c->readings.len;
	c->pub.times = c->times.data;
	c->pub.rounds = c->times.len;
	return &c->pub;
}

void
cp_counts_free(struct cp_counts *c)
{
	cp_vec_free(&c->readings);
	cp_vec_free(&c->times);
	cp_vec_free(&c->threads);
	cp_vec_free(&c->counters);
	cp_map64_free(&c->by_id);
}
