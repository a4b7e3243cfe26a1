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
#include "model/session-state.h"

/* Returns the last values of a counter; NULL: too many counters. */
static struct cp_counter *
last_values(struct cp_session *s, uint64_t key, uint32_t tid)
{
	uint64_t id = cp_map64_get(&s->counter_ids, key);
	uint32_t at = id != 0 ? cp_map64_get(&s->counters, id << 32 | tid) : 0;

	if (at != 0)
		return &s->counter.data[at - 1];
	if (s->counter.len >= s->max_counters)
		return NULL;
	if (id == 0)
		id = *cp_map64_put(&s->counter_ids, key) = ++s->n_counter_ids;
	*cp_vec_push(&s->counter) = (struct cp_counter){ 0 };
	*cp_map64_put(&s->counters, id << 32 | tid) = (uint32_t)s->counter.len;
	return &s->counter.data[s->counter.len - 1];
}

/*
 * Inherited counters have one id: a new thread's begin at zero, and it may have
 * the number of an older one.
 */
static bool
is_inherited(const struct cp_session *s, const struct cp_queued *q)
{
	const struct cp_evsel_info *e = s->rec->evsels.all.data[q->evsel];

	return cp_attr_flag(&e->attr, CP_ATTR_INHERIT);
}

static void
say_restart(struct cp_session *s, const struct cp_queued *q,
    const struct cp_counter *now, const struct cp_counter *before)
{
	const char *what = "";
	uint64_t is = now->value, was = before->value;

	if (is >= was && now->enabled < before->enabled) {
		what = "time enabled: ";
		is = now->enabled;
		was = before->enabled;
	} else if (is >= was) {
		what = "time running: ";
		is = now->running;
		was = before->running;
	}
	if (is < was && !is_inherited(s, q))
		cp_diag_at(s->diags, CP_D_COUNTER_RESTART, q->offset,
		    "%s%" PRIu64 " after %" PRIu64, what, is, was);
}

/*
 * Values only grow.  A smaller one means a restart, as by a reused tid: it was
 * counted since.  Times that are smaller, while the value grew, are unknown.
 */
static struct cp_counter
since(const struct cp_counter *now, const struct cp_counter *before)
{
	struct cp_counter d = { .value = now->value };

	if (now->value >= before->value)
		d.value -= before->value;
	if (now->enabled >= before->enabled &&
	    now->running >= before->running) {
		d.enabled = now->enabled - before->enabled;
		d.running = now->running - before->running;
	} else if (now->value < before->value) {
		d.enabled = now->enabled;
		d.running = now->running;
	}
	return d;
}

/* Without its last values nobody knows what a counter counted: nothing. */
static struct cp_counter
increases(struct cp_session *s, const struct cp_queued *q, uint64_t key,
    uint32_t tid, struct cp_counter now)
{
	struct cp_counter *last = last_values(s, key, tid), before;

	if (last == NULL) {
		cp_diag_at(s->diags, CP_D_LIMIT, q->offset,
		    "over %" PRIu64 " counters: what others count is unknown",
		    s->max_counters);
		return (struct cp_counter){ 0 };
	}
	before = *last;
	*last = now;
	say_restart(s, q, &now, &before);
	return since(&now, &before);
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
 * by event and CPU, and by its index in the values.  Only counters of threads
 * are recorded without a CPU.
 */
static uint64_t
nameless(const struct cp_queued *q, uint32_t i)
{
	uint64_t id = q->event->id;
	uint32_t of = q->cpu != CP_NO_ID ? q->cpu : q->tid;

	if (id != 0)
		return UINT64_C(1) << 63 | id << 20 >> 1 | i;
	return UINT64_C(1) << 62 | ((uint64_t)q->evsel + i) << 32 | of;
}

/*
 * A value that has no id is no more than its sample's, whose period is known:
 * it is only looked at for a restart.
 */
static void
look(struct cp_session *s, const struct cp_queued *q, uint64_t format)
{
	struct cp_counter now, *last;
	uint64_t id;

	if (is_inherited(s, q) || !values_at(q->event, format, 0, &now, &id))
		return;
	last = last_values(s, nameless(q, 0), 0);
	if (last == NULL)
		return;
	say_restart(s, q, &now, last);
	*last = now;
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
	uint32_t tid = is_inherited(s, q) ? q->tid : 0;
	uint64_t format = sampled->attr.read_format, id;
	struct cp_counter now;

	if (!(format & (CP_FORMAT_ID | CP_FORMAT_GROUP))) {
		*grew = (struct cp_counter){ .value = q->period };
		if (*cursor == 0)
			look(s, q, format);
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
