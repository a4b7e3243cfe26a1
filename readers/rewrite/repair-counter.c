/* SPDX-License-Identifier: MIT */
/*
 * repair-counter: values of counters in samples (PERF_SAMPLE_READ).
 *
 * Each value has the id of its event.  A value of an unknown event is useless,
 * and every reader reports it as a loss, so it is removed from its sample.
 */
#include "readers/rewrite/repaired.h"

#include "base/bytes.h"
#include "readers/record-head.h"

/* The place of the values in a sample. */
struct values {
	size_t at;   /* offset in the record of the first value */
	size_t each; /* bytes of a value, its id and its lost count */
	uint64_t nr;
	bool group;
};

static bool
find_values(
    const struct cp_evsels *e, const struct cp_event *ev, struct values *v)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	uint64_t format;

	if (ev->type != CP_RECORD_SAMPLE || ev->evsel >= e->all.len ||
	    s->read == NULL)
		return false;
	if ((e->all.data[ev->evsel]->attr.sample_type & CP_SAMPLE_READ) == 0)
		return false;
	format = e->all.data[ev->evsel]->attr.read_format;
	if ((format & CP_FORMAT_ID) == 0)
		return false;
	v->group = (format & CP_FORMAT_GROUP) != 0;
	v->each = format & CP_FORMAT_LOST ? 24 : 16;
	v->at = (size_t)(s->read - ev->bytes);
	v->nr = v->group ? cp_load64(s->read, ev->swap) : 1;
	v->at += v->group ? 8 : 0;
	if (v->group) {
		v->at += format & CP_FORMAT_ENABLED ? 8 : 0;
		v->at += format & CP_FORMAT_RUNNING ? 8 : 0;
	} else {
		v->each = s->read_size;
	}
	return v->nr <= (ev->size - v->at) / v->each;
}

/* Of a group the id is the second word; of one value the times precede it. */
static uint64_t
id_of(const struct cp_evsels *e, const struct cp_event *ev,
    const struct values *v, uint64_t i)
{
	uint64_t format = e->all.data[ev->evsel]->attr.read_format;
	size_t at = v->at + (size_t)i * v->each + 8;

	if (!v->group) {
		at += format & CP_FORMAT_ENABLED ? 8 : 0;
		at += format & CP_FORMAT_RUNNING ? 8 : 0;
	}
	return cp_load64(ev->bytes + at, ev->swap);
}

bool
cp_repair_counter_id(const struct cp_evsels *e, const struct cp_event *ev,
    uint64_t i, uint64_t *id)
{
	struct values v;

	if (!find_values(e, ev, &v) || i >= v.nr)
		return false;
	*id = id_of(e, ev, &v, i);
	return true;
}

struct cp_repair_counters
cp_repair_counters(const struct cp_evsels *e, const struct cp_event *ev)
{
	struct cp_repair_counters c = { .size = ev->size };
	struct values v;

	/* The reader takes all for those of an event that is alone. */
	if (e->all.len < 2 || !find_values(e, ev, &v))
		return c;
	for (uint64_t i = 0; i < v.nr; i++) {
		uint64_t id = id_of(e, ev, &v, i);

		if (cp_evsels_find(e, id) != NULL)
			c.known++;
		else if (c.unknown++ == 0)
			c.id = id;
	}
	c.size -= (uint32_t)(c.unknown * v.each);
	return c;
}

void
cp_repair_without(
    const struct cp_evsels *e, const struct cp_event *ev, uint8_t *copy)
{
	struct values v;
	uint64_t kept = 0;
	uint8_t *to;
	size_t rest;

	if (!find_values(e, ev, &v))
		return;
	memcpy(copy, ev->bytes + CP_HEAD_SIZE, v.at - CP_HEAD_SIZE);
	to = copy + v.at - CP_HEAD_SIZE;
	for (uint64_t i = 0; i < v.nr; i++) {
		if (cp_evsels_find(e, id_of(e, ev, &v, i)) == NULL)
			continue;
		memcpy(to, ev->bytes + v.at + i * v.each, v.each);
		to += v.each;
		kept++;
	}
	kept = ev->swap ? __builtin_bswap64(kept) : kept;
	memcpy(copy + (ev->u.sample.read - ev->bytes) - CP_HEAD_SIZE, &kept, 8);
	rest = v.at + (size_t)v.nr * v.each;
	memcpy(to, ev->bytes + rest, ev->size - rest);
}
