/* SPDX-License-Identifier: MIT */
/*
 * odd-size: records whose size is not a multiple of 8.
 *
 * The kernel pads its records, and perf most of its own.  OpenHarmony's hiperf
 * does not pad texts, perf 4.16 its CPU_MAP, simpleperf the records it splits;
 * perf reads all of them.  Damage looks the same, so the first such record is
 * believed only if several records with fitting content follow it.
 */
#include "readers/record/stream-state.h"

enum { WITNESSES = 4 };

/* Is it a type whose data follow the record without a header? */
static bool
has_extra(uint32_t type)
{
	return type == CP_RECORD_AUXTRACE || type == CP_RECORD_TRACING_DATA;
}

/* Does a valid record begin at that byte in view?  *size: its size. */
static bool
witness(const struct cp_stream *s, const struct cp_window *w, size_t at,
    uint32_t *type, size_t *size)
{
	struct cp_record_head h = cp_head_read(w->at + at, s->swap);
	size_t left = (size_t)(w->end - w->at) - at;
	struct cp_event ev;

	*type = h.type;
	*size = h.size;
	if (!cp_head_possible(&h))
		return false;
	return h.size > left || cp_decode(&s->rec->evsels, w->at + at, &h,
				    s->swap, &ev) != CP_DECODED_BAD;
}

static bool
witnessed(struct cp_stream *s, struct cp_window *w)
{
	size_t left = cp_window_have(w, CP_WINDOW_MAX), at = 0, size;
	uint32_t type;

	for (int i = 0; i <= WITNESSES; i++) {
		if (left - at < CP_HEAD_SIZE)
			return i != 0 && (left == at || !w->ended);
		if (!witness(s, w, at, &type, &size))
			return false;
		if (has_extra(type) || size > left - at)
			return i != 0;
		at += size;
	}
	return true;
}

bool
cp_stream_odd(
    struct cp_stream *s, struct cp_window *w, const struct cp_record_head *h)
{
	if (!cp_head_possible(h))
		return false;
	s->odd = s->odd || witnessed(s, w);
	return s->odd;
}
