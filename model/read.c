/* SPDX-License-Identifier: MIT */
/*
 * read: samples that carry counter values (PERF_SAMPLE_READ).
 *
 * With -e '{a,b}:S' only the leader is sampled and each sample brings the
 * values of the whole group.  As in perf, each member's increase since the
 * last time is a sample of that member; no increase, no sample.  Counters
 * that are inherited count each thread by itself under the one id.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session.h"

/* Where a counter's last value is kept; NULL: there are too many. */
static uint64_t *
last_value(struct cp_session *s, uint64_t id, uint32_t tid)
{
	uint32_t *at;

	if (s->counter.len >= CP_MAX_IDS)
		return NULL;
	at = cp_map64_put(&s->counter_ids, id);
	if (*at == 0)
		*at = ++s->n_counter_ids;
	at = cp_map64_put(&s->counters, (uint64_t)*at << 32 | tid);
	if (*at == 0) {
		*cp_vec_push(&s->counter) = 0;
		*at = (uint32_t)s->counter.len;
	}
	return &s->counter.data[*at - 1];
}

/* Counters only grow: one that is less began anew, as with a reused tid. */
static uint64_t
increase(struct cp_session *s, uint64_t id, uint32_t tid, uint64_t value)
{
	uint64_t *last = last_value(s, id, tid), before;

	if (last == NULL)
		return value;
	before = *last;
	*last = value;
	return value >= before ? value - before : value;
}

/* The value number i and its id; false: there is none. */
static bool
value_at(const struct cp_event *ev, uint64_t format, uint32_t i,
    uint64_t *value, uint64_t *id)
{
	const struct cp_ev_sample *x = &ev->u.sample;
	struct cp_bytes b = cp_bytes_of(x->read, x->read_size, ev->swap);
	uint64_t times = format & (CP_FORMAT_ENABLED | CP_FORMAT_RUNNING);
	size_t head = 8 * (size_t)__builtin_popcountll(times);
	size_t each = 8;

	each += format & CP_FORMAT_ID ? 8 : 0;
	each += format & CP_FORMAT_LOST ? 8 : 0;
	if (format & CP_FORMAT_GROUP) {
		if (i >= cp_bytes_u64(&b))
			return false;
		cp_bytes_take(&b, head + i * each);
		*value = cp_bytes_u64(&b);
	} else {
		*value = cp_bytes_u64(&b);
		cp_bytes_take(&b, head);
		if (i != 0)
			return false;
	}
	*id = cp_bytes_u64(&b);
	return !b.failed;
}

bool
cp_session_read(struct cp_session *s, const struct cp_queued *q,
    uint32_t *cursor, struct cp_evsel_info **evsel, uint64_t *period)
{
	const struct cp_attr *attr = &(*evsel)->attr;
	uint32_t tid = cp_attr_flag(attr, CP_ATTR_INHERIT) ? q->tid : 0;
	uint64_t format = attr->read_format, value, id;

	if (!(format & CP_FORMAT_ID)) /* values cannot be told apart */
		return (*cursor)++ == 0;
	while (value_at(q->event, format, (*cursor)++, &value, &id)) {
		struct cp_evsel_info *found =
		    cp_evsels_find(&s->rec->evsels, id);

		if (found == NULL) {
			s->quality->samples_unknown_id++;
			cp_diag_at(s->diags, CP_D_UNKNOWN_ID, q->offset,
			    "counter %" PRIu64, id);
			continue;
		}
		*period = increase(s, id, tid, value);
		*evsel = found;
		if (*period != 0)
			return true;
	}
	return false;
}
