/* SPDX-License-Identifier: MIT */
/*
 * salvage: finds the next record that makes sense.
 *
 * A position is taken for a record if its header is plausible, its content
 * fills exactly its size, and what follows is a plausible header too or the
 * end.  A sample needs no followers: its own fields are evidence enough.
 * Records are aligned to 8 bytes, so only such positions are tried, unless
 * the stream has records of odd sizes: samples that bring stacks are aligned
 * to 4.
 */
#include "readers/record/stream-state.h"

enum {
	STEP = 8,
	HALF = 4,
	FOLLOWERS = 2,         /* headers that must make sense behind it */
	REACH = CP_WINDOW_MAX, /* bytes in view; half are ahead of each */
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
	/* The last one may have been damaged: ask the one before, too. */
	return ev->time == CP_NO_TIME || ev->time == 0 ||
	       time_near(ev->time, s->last_time) ||
	       time_near(ev->time, s->time_before);
}

enum verdict {
	NO_RECORD,
	CUT, /* a record's header, but the rest is not in view */
	PERHAPS,
	SURELY,
};

static enum verdict
judge(
    const struct cp_stream *s, const uint8_t *p, const struct cp_record_head *h)
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
plausible(const struct cp_stream *s, const struct cp_record_head *h)
{
	bool known;

	return (cp_head_plausible(h, &known) && known) ||
	       (s->odd && cp_head_possible(h));
}

/* Do headers follow, as far as they are in view? */
static bool
followed(const struct cp_stream *s, const uint8_t *p, size_t left, bool ended)
{
	for (int i = 0; i < FOLLOWERS; i++) {
		struct cp_record_head h;

		if (left < CP_HEAD_SIZE)
			return ended ? left == 0 : true;
		h = cp_head_read(p, s->swap);
		if (!plausible(s, &h))
			return false;
		if (h.size > left)
			return true;
		p += h.size;
		left -= h.size;
	}
	return true;
}

static enum verdict
record_at(const struct cp_stream *s, const uint8_t *p, size_t left, bool ended)
{
	struct cp_record_head h = cp_head_read(p, s->swap);
	bool follows;
	enum verdict v;

	if (!plausible(s, &h))
		return NO_RECORD;
	if (h.size > left)
		return ended ? NO_RECORD : CUT;
	follows = followed(s, p + h.size, left - h.size, ended);
	if (!follows && h.type != CP_RECORD_SAMPLE)
		return NO_RECORD; /* cheaper than to look inside */
	v = judge(s, p, &h);
	return v == PERHAPS && !follows ? NO_RECORD : v;
}

/* Pipes and compressed captures have records of any size. */
static size_t
grain(const struct cp_stream *s)
{
	if (s->pipe || s->zstd != NULL || s->odd)
		return 1;
	return s->rec->evsels.stacks ? HALF : STEP;
}

/*
 * Looks at what is in view.  True: found one or nothing more is to come (the
 * window stands there); false: stepped as far as positions could be judged.
 * A pushed window gets no more until the stream says that a record is cut.
 */
static bool
scan_view(const struct cp_stream *s, struct cp_window *w, size_t left)
{
	bool pushed = w->in == NULL;
	size_t stop = w->ended || pushed ? left : left - REACH / 2;
	size_t cut = SIZE_MAX, i;

	for (i = 0; i < stop && i + CP_HEAD_SIZE <= left; i += grain(s)) {
		enum verdict v = record_at(s, w->at + i, left - i, w->ended);

		if (v >= PERHAPS) {
			cp_window_step(w, i);
			return true;
		}
		if (v == CUT && cut == SIZE_MAX)
			cut = i;
	}
	if (w->ended)
		i = left;
	else if (pushed)
		i = CP_MIN(cut, i);
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

	for (size_t i = STEP; i < n && i + CP_HEAD_SIZE <= left; i += grain(s))
		if (record_at(s, w->at + i, left - i, w->ended) >= PERHAPS)
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
