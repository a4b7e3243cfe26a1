/* SPDX-License-Identifier: MIT */
/*
 * neighbours: does a sample fit between the records around it?
 *
 * A record whose type was damaged may have the size of a sample.  Its time is
 * then far from the one before, which is near to that of the record after it.
 * Where damage follows, a sample so far from the one before is none either.
 * A sample whose type was damaged has a time that is near to both.
 */
#include "readers/record/stream-state.h"

enum { LOOKS = 4 }; /* records asked for their time */

static uint64_t
apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool
near(uint64_t a, uint64_t b)
{
	return apart(a, b) <= CP_SAMPLE_NEAR;
}

bool
cp_stream_stray(struct cp_stream *s, struct cp_window *w, size_t size)
{
	size_t left = cp_window_have(w, CP_WINDOW_MAX), at = size;

	for (int i = 0; i < LOOKS && left - at >= CP_HEAD_SIZE; i++) {
		struct cp_record_head h = cp_head_read(w->at + at, s->swap);
		struct cp_event ev;

		if (!cp_stream_plausible(s, &h))
			return true;
		if (h.size > left - at)
			return false;
		if (cp_decode(&s->rec->evsels, w->at + at, &h, s->swap, &ev) !=
		    CP_DECODED_EXACT)
			return false;
		if (ev.time != CP_NO_TIME)
			return near(ev.time, s->last_time);
		at += h.size;
	}
	return false;
}

/* A record that is none has its own time at its end, which is nearer. */
bool
cp_stream_retyped(const struct cp_stream *s, const struct cp_window *w,
    const struct cp_record_head *h, uint64_t own)
{
	struct cp_record_head as = *h;
	struct cp_event ev;

	as.type = CP_RECORD_SAMPLE;
	return s->last_time != CP_NO_TIME &&
	       cp_decode(&s->rec->evsels, w->at, &as, s->swap, &ev) ==
		   CP_DECODED_EXACT &&
	       ev.evsel != CP_NO_ID && ev.time != CP_NO_TIME &&
	       near(ev.time, s->last_time) &&
	       (own == CP_NO_TIME ||
		   apart(ev.time, s->last_time) < apart(own, s->last_time));
}
