/* SPDX-License-Identifier: MIT */
/*
 * salvage: finds the next record that makes sense.
 *
 * A position is taken for a record if its header is plausible, its content
 * fills exactly its size, and another plausible header or the end follows.  A
 * sample needs no followers: its own fields are evidence enough. Records are
 * aligned to 8 bytes, so only such positions are tried, unless the stream has
 * records of odd sizes (samples with copies of stacks are aligned to 4) or its
 * file has another size than its header tells.
 */
#include "base/limits.h"
#include "readers/record/stream-state.h"

enum {
	STEP = 8,
	HALF = 4,
	FOLLOWERS = 2, /* headers that must make sense after it */
	/* bytes in view; half of them follow each position tried */
	REACH = CP_WINDOW_MAX,
};

/*
 * zstd stores data that it cannot compress verbatim.  Records found in such
 * data are not read if all samples are compressed.
 */
static bool
only_compressed(const struct cp_stream *s)
{
	return s->searched && !s->plain &&
	       (s->zstd != NULL || s->rec->info.compressed);
}

/* Are the fields of a sample all that samples of this stream have? */
static bool
exact(const struct cp_stream *s, enum cp_decoded d, const struct cp_event *ev)
{
	return d == CP_DECODED_EXACT ||
	       (d == CP_DECODED_SLACK && ev->slack == s->slack);
}

enum cp_verdict
cp_stream_judge(
    const struct cp_stream *s, const uint8_t *p, const struct cp_record_head *h)
{
	struct cp_event ev;
	enum cp_decoded d = cp_decode(&s->rec->evsels, p, h, s->swap, &ev);

	if (h->type == CP_RECORD_SAMPLE) {
		if (!exact(s, d, &ev) || only_compressed(s) ||
		    !cp_stream_fits(s, &ev) ||
		    (s->doubt && !s->searched &&
			!cp_stream_sample_fits(s, &ev)))
			return CP_NO_RECORD;
		return ev.time != CP_NO_TIME && s->last_time != CP_NO_TIME &&
			       h->size >= 32
			   ? CP_SURELY
			   : CP_PERHAPS;
	}
	if (d == CP_DECODED_BAD || d == CP_DECODED_SLACK)
		return CP_NO_RECORD;
	return d == CP_DECODED_EXACT || h->type >= CP_RECORD_HEADER_ATTR
		   ? CP_PERHAPS
		   : CP_NO_RECORD;
}

bool
cp_stream_plausible(const struct cp_stream *s, const struct cp_record_head *h)
{
	bool known;

	return (cp_head_plausible(h, &known) && known) ||
	       (s->odd && cp_head_possible(h));
}

/*
 * Returns the bytes of a record with the data after it; 0: more than possible.
 */
static uint64_t
whole_size(
    const struct cp_stream *s, const uint8_t *p, const struct cp_record_head *h)
{
	struct cp_event ev = {
		.type = h->type, .size = h->size, .bytes = p, .swap = s->swap
	};
	uint64_t extra = cp_extra_size(&ev);

	if (h->type == CP_RECORD_AUXTRACE && !s->aux)
		return 0;
	return extra <= CP_MAX_TRACING || (s->aux && extra < INT64_MAX)
		   ? h->size + extra
		   : 0;
}

/* Are the bytes after the record headers, as far as the window shows? */
static bool
followed(const struct cp_stream *s, const uint8_t *p, size_t left, bool ended)
{
	for (int i = 0; i < FOLLOWERS; i++) {
		struct cp_record_head h;
		uint64_t size;

		if (left < CP_HEAD_SIZE)
			return ended ? left == 0 : true;
		h = cp_head_read(p, s->swap);
		if (!cp_stream_plausible(s, &h))
			return false;
		if (h.size > left)
			return true;
		size = whole_size(s, p, &h);
		if (size == 0 || size > left)
			return size != 0;
		p += size;
		left -= size;
	}
	return true;
}

enum cp_verdict
cp_stream_record_at(
    const struct cp_stream *s, const uint8_t *p, size_t left, bool ended)
{
	struct cp_record_head h = cp_head_read(p, s->swap);
	enum cp_verdict v;
	uint64_t size;
	bool follows;

	if (!cp_stream_plausible(s, &h))
		return CP_NO_RECORD;
	if (h.size > left)
		return ended ? CP_NO_RECORD : CP_CUT;
	size = whole_size(s, p, &h);
	if (size == 0)
		return CP_NO_RECORD;
	follows =
	    size > left || followed(s, p + size, left - (size_t)size, ended);
	if (!follows && h.type != CP_RECORD_SAMPLE)
		return CP_NO_RECORD; /* cheaper than to look inside */
	v = cp_stream_judge(s, p, &h);
	return v == CP_PERHAPS && !follows ? CP_NO_RECORD : v;
}

/* Pipes and compressed captures have records of any size. */
size_t
cp_stream_grain(const struct cp_stream *s)
{
	if (s->pipe || s->zstd != NULL || s->odd || s->shifted)
		return 1;
	return s->rec->evsels.stacks ? HALF : STEP;
}

/*
 * Scans the bytes in view.  True: the window stands at a record, or at the end.
 * False: it has moved past all positions that could be judged.  A pushed window
 * gets no more bytes until the stream says that a record is cut.
 */
static bool
scan_view(const struct cp_stream *s, struct cp_window *w, size_t left)
{
	bool pushed = w->in == NULL;
	size_t stop = w->ended || pushed ? left : left - REACH / 2;
	size_t cut = SIZE_MAX, grain = cp_stream_grain(s), i, step;

	for (i = 0; i < stop && i + CP_HEAD_SIZE <= left; i += step) {
		enum cp_verdict v;

		step = cp_stream_zeros(w->at + i, left - i) ? STEP : grain;
		v = cp_stream_record_at(s, w->at + i, left - i, w->ended);
		if (v >= CP_PERHAPS) {
			cp_window_step(w, i);
			return true;
		}
		if (v == CP_CUT && cut == SIZE_MAX)
			cut = i;
	}
	if (w->ended)
		i = left;
	else if (pushed)
		i = CP_MIN(cut, i);
	cp_window_step(w, i);
	return w->ended || pushed;
}

void
cp_stream_resync(struct cp_stream *s, struct cp_window *w)
{
	uint64_t from = w->offset;

	s->in_gap = true;
	s->quality->gaps++;
	s->searched = w == &s->outer;
	cp_window_skip(w, cp_stream_grain(s));
	while (!scan_view(s, w, cp_window_have(w, REACH)))
		;
	s->searched = false;
	s->resynced = w->offset - from;
	if (w == &s->outer)
		s->quality->bytes_skipped += w->offset - from;
}
