/* SPDX-License-Identifier: MIT */
/*
 * control: records that describe the recording itself (pipe mode mostly).
 *
 * A pipe sends attrs, names and features as records; a file has them in its
 * header.  The record that announces AUX data is also read here.
 */
#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/features.h"
#include "readers/record/stream-state.h"
#include "readers/record/stream.h"
#include "readers/header/tracing.h"
#include "readers/rules.h"

static struct cp_bytes
payload(const struct cp_event *ev, size_t from)
{
	return cp_bytes_of(ev->bytes + from, ev->size - from, ev->swap);
}

static void
header_attr(struct cp_stream *s, const struct cp_event *ev)
{
	struct cp_evsels *evsels = &s->rec->evsels;
	struct cp_bytes b = payload(ev, CP_HEAD_SIZE);
	struct cp_evsel_info *evsel;
	struct cp_attr attr;

	if (cp_attr_read(&b, &attr, s->diags) != CP_OK ||
	    !cp_attr_clear_noise(&attr, s->diags))
		return;
	if (evsels->all.len >= CP_MAX_EVSELS) {
		cp_diag(s->diags, CP_D_LIMIT, "over %u events", CP_MAX_EVSELS);
		return;
	}
	evsel = cp_evsels_add(evsels, &attr, s->diags);
	if (cp_bytes_left(&b) / 8 > CP_MAX_IDS - evsels->ids)
		cp_diag(s->diags, CP_D_LIMIT, "over %u ids", CP_MAX_IDS);
	while (cp_bytes_left(&b) >= 8)
		cp_evsels_id(evsels, evsel, cp_bytes_u64(&b));
	cp_recording_link(s->rec);
}

static bool
has_samples(uint32_t type)
{
	return type == CP_RECORD_SAMPLE || type == CP_RECORD_COMPRESSED ||
	       type == CP_RECORD_COMPRESSED2;
}

/*
 * Have all attrs been read, if the next record has this type and no samples? As
 * many attrs as EVENT_DESC has events are all.  If there are fewer, one of them
 * may be lost.
 */
static bool
attrs_complete(const struct cp_stream *s, uint32_t type)
{
	size_t n = s->rec->evsels.all.len;

	return type < CP_RECORD_HEADER_ATTR && n != 0 &&
	       n >= s->rec->info.events.len;
}

void
cp_stream_compare(struct cp_stream *s)
{
	struct cp_window *w = &s->outer;
	uint32_t type;

	if (cp_window_have(w, CP_HEAD_SIZE) < CP_HEAD_SIZE)
		return;
	type = cp_load32(w->at, s->swap);
	if (!has_samples(type) &&
	    (s->compare == CP_AT_SAMPLES || !attrs_complete(s, type)))
		return;
	s->compare =
	    has_samples(type) || w->in->seekable ? CP_NEVER : CP_AT_SAMPLES;
	cp_trial(s->rec, &w, 1, s->compare == CP_NEVER, s->diags, w->offset);
	cp_recording_link(s->rec);
}

/* An empty payload marks the end of the features. */
static void
header_feature(struct cp_stream *s, const struct cp_event *ev)
{
	struct cp_bytes b = payload(ev, CP_HEAD_SIZE);
	uint64_t bit = cp_bytes_u64(&b);
	bool had = s->rec->info.events.len != 0;

	if (bit >= CP_FEATURES || cp_bytes_left(&b) == 0)
		return;
	cp_feature_read(&s->rec->info, (uint32_t)bit, b, s->diags);
	if (!had && s->rec->info.events.len != 0 && s->pipe &&
	    s->last_time == CP_NO_TIME)
		s->compare = CP_AFTER_ATTRS;
	cp_recording_link(s->rec);
}

static void
event_update(struct cp_stream *s, const struct cp_event *ev)
{
	enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME };
	struct cp_bytes b = payload(ev, CP_HEAD_SIZE);
	uint64_t what = cp_bytes_u64(&b), id = cp_bytes_u64(&b);
	struct cp_evsel_info *evsel = cp_evsels_find(&s->rec->evsels, id);
	const char *name;

	if (what == UPDATE_SCALE && evsel != NULL)
		cp_evsels_scale(evsel, cp_bytes_u64(&b));
	if (what == UPDATE_UNIT && evsel != NULL)
		cp_evsels_unit(&s->rec->evsels, evsel, cp_bytes_str(&b));
	if (what != UPDATE_NAME)
		return;
	name = cp_bytes_str(&b);
	if (name == NULL)
		cp_found(s->diags, CP_R_NAME_END, ev->offset,
		    "event name without end");
	else if (evsel == NULL)
		cp_found(s->diags, CP_R_NAME_ID, ev->offset,
		    "name of id %" PRIu64, id);
	else
		cp_evsels_rename(&s->rec->evsels, evsel, name);
}

static void
simpleperf_tracing(struct cp_stream *s, const struct cp_event *ev)
{
	struct cp_bytes b = payload(ev, CP_HEAD_SIZE);
	uint32_t n = cp_bytes_u32(&b);
	const uint8_t *p = cp_bytes_take(&b, n);

	if (p == NULL) {
		cp_diag(s->diags, CP_D_BAD_TRACING, "record too short");
		return;
	}
	cp_tracing_read(
	    &s->rec->tracepoints, cp_bytes_of(p, n, s->swap), s->diags);
	cp_recording_link(s->rec);
}

/* The clock's zero is known only if cap_zero is set. */
static void
time_conv(struct cp_stream *s, const struct cp_event *ev)
{
	struct cp_bytes b = payload(ev, CP_HEAD_SIZE);
	struct cp_time_conv c = { .mask = UINT64_MAX };

	c.shift = cp_bytes_u64(&b);
	c.mult = cp_bytes_u64(&b);
	c.zero = cp_bytes_u64(&b);
	c.known = !b.failed && c.shift < 64;
	if (cp_bytes_left(&b) >= 18) {
		c.cycles = cp_bytes_u64(&b);
		c.mask = cp_bytes_u64(&b);
		c.known &= cp_bytes_u8(&b) != 0;
		c.wraps = cp_bytes_u8(&b) != 0;
	}
	s->rec->time_conv = c;
}

void
cp_stream_control(struct cp_stream *s, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_HEADER_ATTR:
		if (s->pipe)
			header_attr(s, ev);
		break;
	case CP_RECORD_HEADER_FEATURE: header_feature(s, ev); break;
	case CP_RECORD_EVENT_UPDATE: event_update(s, ev); break;
	case CP_RECORD_TRACING_DATA:
		if (cp_tracing_inside(ev))
			simpleperf_tracing(s, ev);
		break;
	case CP_RECORD_SP_DSO:
		cp_stream_sp_dso(s, payload(ev, CP_HEAD_SIZE));
		break;
	case CP_RECORD_SP_SYMBOL:
		cp_stream_sp_symbol(s, payload(ev, CP_HEAD_SIZE));
		break;
	case CP_RECORD_SP_TRACING_DATA: simpleperf_tracing(s, ev); break;
	case CP_RECORD_TIME_CONV: time_conv(s, ev); break;
	case CP_RECORD_AUXTRACE_INFO: s->aux = true; break;
	default: cp_stream_counts(s, ev->type, payload(ev, CP_HEAD_SIZE));
	}
}
