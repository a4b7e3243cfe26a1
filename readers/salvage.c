/* SPDX-License-Identifier: MIT */
/*
 * salvage: finds the next record that makes sense.
 *
 * A position is taken for a record if its header is plausible, its content
 * fills exactly its size, and what follows is a plausible header too or the
 * end.  A sample needs no followers: its own fields are evidence enough.
 * Records are aligned to 8 bytes, so only such positions are tried, unless
 * the stream has records of odd sizes.
 */
#include "readers/stream.h"

enum {
	STEP = 8,
	FOLLOWERS = 2, /* headers that must make sense behind it */
	REACH = 192 << 10, /* bytes looked at ahead of a position */
};

static bool
time_near(uint64_t time, uint64_t other)
{
	const uint64_t day = UINT64_C(86400) * 1000000000;

	return other == CP_NO_TIME ||
	    (time > other ? time - other : other - time) < day;
}

/* Samples far from the last one are noise that looks like a sample. */
static bool
time_plausible(const struct cp_stream *s, const struct cp_event *ev)
{
	/* The last one may have been damaged itself: ask the one before, too. */
	return ev->time == CP_NO_TIME || ev->time == 0 ||
	    time_near(ev->time, s->last_time) ||
	    time_near(ev->time, s->time_before);
}

enum verdict { NO_RECORD, PERHAPS, SURELY };

static enum verdict
judge(const struct cp_stream *s, const uint8_t *p,
    const struct cp_record_head *h)
{
	struct cp_event ev;
	enum cp_decoded d = cp_decode(&s->rec->evsels, p, h, s->swap, &ev);

	if (d == CP_DECODED_BAD)
		return NO_RECORD;
	if (h->type == CP_RECORD_SAMPLE) {
		if (d != CP_DECODED_EXACT || !time_plausible(s, &ev))
			return NO_RECORD;
		return ev.time != CP_NO_TIME && s->last_time != CP_NO_TIME &&
			h->size >= 32
		    ? SURELY
		    : PERHAPS;
	}
	return d == CP_DECODED_EXACT || h->type >= CP_RECORD_HEADER_ATTR
	    ? PERHAPS
	    : NO_RECORD;
}

static bool
record_at(const struct cp_stream *s, const uint8_t *p, size_t left,
    bool ended)
{
	for (int i = 0; i <= FOLLOWERS; i++) {
		struct cp_record_head h;
		bool known;

		if (left < CP_HEAD_SIZE)
			return i > 0 && (ended ? left == 0 : true);
		h = cp_head_read(p, s->swap);
		if (!cp_head_plausible(&h, &known) || !known)
			return false;
		if (h.size > left)
			return i > 0;
		if (i == 0) {
			enum verdict v = judge(s, p, &h);

			if (v != PERHAPS)
				return v == SURELY;
		}
		p += h.size;
		left -= h.size;
	}
	return true;
}

/* Pipes and compressed captures have records of any size. */
static size_t
grain(const struct cp_stream *s)
{
	return s->pipe || s->zstd != NULL ? 1 : STEP;
}

/*
 * Looks at what is in view.  True: found one or nothing more is to come (the
 * window stands there); false: stepped as far as positions could be judged.
 */
static bool
scan_view(const struct cp_stream *s, struct cp_window *w, size_t left)
{
	bool pushed = w->in == NULL;
	size_t step = grain(s);
	size_t stop = w->ended || pushed ? left : left - REACH / 2, i;

	for (i = 0; i < stop && i + CP_HEAD_SIZE <= left; i += step)
		if (record_at(s, w->at + i, left - i, w->ended)) {
			cp_window_step(w, i);
			return true;
		}
	if (w->ended)
		i = left;
	else if (pushed) /* a record may continue in what is pushed next */
		i = left > UINT16_MAX ? (left - UINT16_MAX) & ~(size_t)7 : 0;
	cp_window_step(w, i);
	return w->ended || pushed;
}

/*
 * Does a record start inside of the first n bytes?  Then those are not one
 * record of that size, whatever their header says.
 */
bool
cp_stream_hides(struct cp_stream *s, struct cp_window *w, size_t n)
{
	size_t left = cp_window_have(w, REACH);

	for (size_t i = STEP; i < n && i + CP_HEAD_SIZE <= left;
	     i += grain(s))
		if (record_at(s, w->at + i, left - i, w->ended))
			return true;
	return false;
}

void
cp_stream_resync(struct cp_stream *s, struct cp_window *w)
{
	uint64_t from = w->offset;

	s->in_gap = true;
	s->quality->gaps++;
	cp_window_skip(w, STEP);
	while (!scan_view(s, w, cp_window_have(w, REACH)))
		;
	if (w == &s->outer)
		s->quality->bytes_skipped += w->offset - from;
}
