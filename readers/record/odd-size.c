/* SPDX-License-Identifier: MIT */
/*
 * odd-size: records that only those after them show to be sound: of a size that
 * is not a multiple of 8, of a type not known, with bytes after their content.
 *
 * The kernel pads its records, and perf most of its own.  OpenHarmony's hiperf
 * does not pad texts, perf 4.16 its CPU_MAP, simpleperf the records it splits;
 * perf reads all of them.  Damage looks the same, so the first such record is
 * believed only if several records with fitting content follow it.
 */
#include "readers/record/stream-state.h"

enum {
	WITNESSES = 4,
	LOOKS = 64 /* records, newer ones among them */
};

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

/* A newer record among them says nothing. */
static bool
possibly_newer(const struct cp_record_head *h)
{
	return h->type != 0 && h->size >= CP_HEAD_SIZE && h->size % 8 == 0;
}

bool
cp_stream_goes_on(struct cp_stream *s, struct cp_window *w, size_t n)
{
	size_t left = cp_window_have(w, CP_WINDOW_MAX), at = n, size;
	int good = 0;
	uint32_t type;

	for (int i = 0; i < LOOKS && good < WITNESSES && at <= left; i++) {
		struct cp_record_head h;
		bool known;

		if (left - at < CP_HEAD_SIZE)
			return left == at || !w->ended;
		h = cp_head_read(w->at + at, s->swap);
		known = witness(s, w, at, &type, &size);
		if (!known && (cp_head_possible(&h) || !possibly_newer(&h)))
			return false;
		if (size > left - at)
			break;
		good += known;
		if (known && has_extra(type))
			return true;
		at += size;
	}
	return good != 0;
}

bool
cp_stream_newer(
    struct cp_stream *s, struct cp_window *w, const struct cp_record_head *h)
{
	return possibly_newer(h) && cp_stream_goes_on(s, w, h->size);
}

bool
cp_stream_odd(
    struct cp_stream *s, struct cp_window *w, const struct cp_record_head *h)
{
	if (!cp_head_possible(h))
		return false;
	s->odd = s->odd || cp_stream_goes_on(s, w, 0);
	return s->odd;
}
