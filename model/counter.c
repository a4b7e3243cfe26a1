/* SPDX-License-Identifier: MIT */
/*
 * counter: samples that carry counter values (PERF_SAMPLE_READ).
 *
 * With -e '{a,b}:S' only the leader is sampled, and each sample has the values
 * of the whole group.  As in perf, the increase of each member since its last
 * value becomes a sample of that member; without an increase there is no
 * sample.  Inherited counters share one id but count per thread.  Values of a
 * group without ids are assigned to its members in order, which perf does not
 * do.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session-state.h"

/* Returns the last values of a counter; NULL: too many counters. */
static struct cp_counter *
last_values(struct cp_session *s, uint64_t key, uint32_t tid)
{
	uint32_t *at;

	if (s->counter.len >= CP_MAX_IDS)
		return NULL;
	at = cp_map64_put(&s->counter_ids, key);
	if (*at == 0)
		*at = ++s->n_counter_ids;
	at = cp_map64_put(&s->counters, (uint64_t)*at << 32 | tid);
	if (*at == 0) {
		*cp_vec_push(&s->counter) = (struct cp_counter){ 0 };
		*at = (uint32_t)s->counter.len;
	}
	return &s->counter.data[*at - 1];
}

/* Counters only grow.  A smaller value means a restart, as by a reused tid. */
static uint64_t
increase(uint64_t now, uint64_t before)
{
	return now >= before ? now - before : now;
}

static struct cp_counter
increases(struct cp_session *s, const struct cp_queued *q, uint64_t key,
    uint32_t tid, struct cp_counter now)
{
	struct cp_counter *last = last_values(s, key, tid), before;

	if (last == NULL)
		return now;
	before = *last;
	*last = now;
	if (tid == 0 && now.value < before.value) /* no thread began anew */
		cp_diag_at(s->diags, CP_D_COUNTER_RESTART, q->offset,
		    "%" PRIu64 " after %" PRIu64, now.value, before.value);
	return (struct cp_counter){ increase(now.value, before.value),
		increase(now.enabled, before.enabled),
		increase(now.running, before.running) };
}

/* Reads values number i and their id (0: none).  False: there are no more. */
static bool
values_at(const struct cp_event *ev, uint64_t format, uint32_t i,
    struct cp_counter *now, uint64_t *id)
{
	const struct cp_ev_sample *x = &ev->u.sample;
	struct cp_bytes b = cp_bytes_of(x->read, x->read_size, ev->swap);
	bool group = (format & CP_FORMAT_GROUP) != 0;
	size_t each = 8;

	*now = (struct cp_counter){ 0 };
	each += format & CP_FORMAT_ID ? 8 : 0;
	each += format & CP_FORMAT_LOST ? 8 : 0;
	if (i >= (group ? cp_bytes_u64(&b) : 1))
		return false;
	if (!group)
		now->value = cp_bytes_u64(&b);
	if (format & CP_FORMAT_ENABLED)
		now->enabled = cp_bytes_u64(&b);
	if (format & CP_FORMAT_RUNNING)
		now->running = cp_bytes_u64(&b);
	if (group) {
		cp_bytes_take(&b, i * each);
		now->value = cp_bytes_u64(&b);
	}
	*id = format & CP_FORMAT_ID ? cp_bytes_u64(&b) : 0;
	return !b.failed;
}

/* Returns member i of the event's group; NULL: not known yet. */
static struct cp_evsel_info *
member(const struct cp_session *s, const struct cp_evsel_info *ev, uint32_t i)
{
	const struct cp_info *info = &s->rec->info;
	uint64_t at = ev->pub.index;

	for (size_t g = 0; g < info->groups.len; g++) {
		const struct cp_group_desc *d = &info->groups.data[g];

		if (ev->pub.index >= d->leader &&
		    ev->pub.index - d->leader < d->members)
			at = d->leader;
	}
	at += i;
	return at < s->rec->evsels.all.len ? s->rec->evsels.all.data[at] : NULL;
}

/*
 * Identifies a counter without an id: by the id of the sample that has it, or
 * by event and CPU, and by its index in the values.
 */
static uint64_t
nameless(const struct cp_queued *q, uint32_t i)
{
	uint64_t id = q->event->id;

	if (id != 0)
		return UINT64_C(1) << 63 | id << 20 >> 1 | i;
	return UINT64_C(1) << 62 | ((uint64_t)q->evsel + i) << 32 | q->cpu;
}

static struct cp_evsel_info *
unknown(struct cp_session *s, const struct cp_queued *q, uint64_t id)
{
	s->quality->samples_unknown_id++;
	cp_diag_at(
	    s->diags, CP_D_UNKNOWN_ID, q->offset, "counter %" PRIu64, id);
	return NULL;
}

bool
cp_session_read(struct cp_session *s, const struct cp_queued *q,
    uint32_t *cursor, struct cp_evsel_info **evsel, struct cp_counter *grew)
{
	const struct cp_evsel_info *sampled = s->rec->evsels.all.data[q->evsel];
	const struct cp_attr *attr = &sampled->attr;
	uint32_t tid = cp_attr_flag(attr, CP_ATTR_INHERIT) ? q->tid : 0;
	uint64_t format = attr->read_format, id;
	struct cp_counter now;

	if (!(format & (CP_FORMAT_ID | CP_FORMAT_GROUP))) {
		*grew = (struct cp_counter){ .value = q->period };
		return (*cursor)++ == 0;
	}
	if (*cursor == 0)
		s->readings++;
	while (values_at(q->event, format, *cursor, &now, &id)) {
		uint32_t i = (*cursor)++;
		bool named = (format & CP_FORMAT_ID) != 0;
		struct cp_evsel_info *found =
		    named ? cp_evsels_find(&s->rec->evsels, id)
			  : member(s, sampled, i);

		/* one event needs no ids */
		if (found == NULL && s->rec->evsels.all.len == 1)
			found = s->rec->evsels.all.data[0];
		if (found == NULL)
			found = unknown(s, q, id);
		if (found == NULL)
			continue;
		*grew = increases(s, q, named ? id : nameless(q, i), tid, now);
		*evsel = found;
		if (grew->value != 0)
			return true;
	}
	return false;
}
