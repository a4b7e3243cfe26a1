/* SPDX-License-Identifier: MIT */
/*
 * read: samples that carry counter values (PERF_SAMPLE_READ).
 *
 * With -e '{a,b}:S' only the leader is sampled and each sample brings the
 * values of the whole group.  As in perf, each member's increase since the
 * last time is a sample of that member; no increase, no sample.
 */
#include "base/bytes.h"
#include "base/limits.h"
#include "model/session.h"

static uint64_t
increase(struct cp_session *s, uint64_t id, uint64_t value)
{
	uint32_t *at;
	uint64_t last;

	if (s->counter.len >= CP_MAX_IDS)
		return value;
	at = cp_map64_put(&s->counters, id);
	if (*at == 0) {
		*cp_vec_push(&s->counter) = 0;
		*at = (uint32_t)s->counter.len;
	}
	last = s->counter.data[*at - 1];
	s->counter.data[*at - 1] = value;
	return value - last;
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
	uint64_t format = (*evsel)->attr.read_format, value, id;

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
		*period = increase(s, id, value);
		*evsel = found;
		if (*period != 0)
			return true;
	}
	return false;
}
