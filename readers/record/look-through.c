/* SPDX-License-Identifier: MIT */
/*
 * look-through: finds records inside of a record.
 *
 * A wrong size may end where another record ends, and then all that follows
 * makes sense.  So a record whose content does not determine its size is
 * searched: a chain of records from some place in it to its end shows that its
 * size is wrong.  If nothing plausible follows it, one record inside is enough.
 *
 * A record that lost bytes swallows bytes of the next one, and its content may
 * still fill its size.  Then no header follows, and the next record starts
 * inside.
 */
#include "base/limits.h"
#include "readers/record/stream-state.h"

enum {
	STEP = 8,
	HALF = 4,
	LARGE = 32, /* bytes of a sample that do not agree by chance */
	REACH = CP_WINDOW_MAX,
};

/* Does a record follow after n bytes? */
static bool
followed(struct cp_stream *s, struct cp_window *w, size_t n)
{
	size_t left = cp_window_have(w, n + CP_HEAD_SIZE);
	struct cp_record_head h;
	bool known;

	if (left < n + CP_HEAD_SIZE)
		return w->in == NULL || left == n || w->ended;
	h = cp_head_read(w->at + n, s->swap);
	return cp_head_plausible(&h, &known) ||
	       (s->odd && cp_head_possible(&h));
}

/*
 * The alignment of records that the holder may hide: simpleperf's have 4, and
 * follow samples.
 */
static size_t
grain_in(const struct cp_stream *s, const struct cp_record_head *holder)
{
	size_t grain = cp_stream_grain(s);

	return holder->type > CP_SIMPLEPERF_FIRST ||
		       holder->type == CP_RECORD_SAMPLE
		   ? CP_MIN(grain, (size_t)HALF)
		   : grain;
}

/* Where a record starts inside of the first n bytes; n: nowhere. */
static size_t
first_start(struct cp_stream *s, struct cp_window *w, size_t n)
{
	size_t left = cp_window_have(w, REACH), grain = cp_stream_grain(s);
	size_t i = STEP;

	while (i < n && i + CP_HEAD_SIZE <= left) {
		if (cp_stream_record_at(s, w->at + i, left - i, w->ended) >=
		    CP_PERHAPS)
			return i;
		i += cp_stream_zeros(w->at + i, left - i) ? STEP : grain;
	}
	return n;
}

size_t
cp_stream_data_end(struct cp_stream *s, struct cp_window *w, size_t n)
{
	return followed(s, w, n) ? n : first_start(s, w, n);
}

/* Compressed data may contain a record of the kernel verbatim. */
static bool
may_hide(uint32_t holder, uint32_t type)
{
	bool compressed =
	    holder == CP_RECORD_COMPRESSED || holder == CP_RECORD_COMPRESSED2;

	return !compressed || type >= CP_RECORD_HEADER_ATTR;
}

/* The size of a record and of what stands after it; at least n: too large. */
static uint64_t
whole_size(const struct cp_stream *s, const struct cp_record_head *h,
    const uint8_t *p, size_t n)
{
	struct cp_event ev = {
		.bytes = p, .size = h->size, .type = h->type, .swap = s->swap
	};
	uint64_t extra = 0;

	/* what stands after it is a number of 4 or 8 bytes in it */
	if (h->size <= n &&
	    h->size >= (h->type == CP_RECORD_AUXTRACE ? 2 * STEP : STEP + HALF))
		extra = cp_extra_size(&ev);
	return extra < n ? h->size + extra : n + 1;
}

/* leads[i]: headers lead from there to the end of the n bytes. */
static void
find_ways(const struct cp_stream *s, const struct cp_record_head *holder,
    const uint8_t *p, uint8_t *leads)
{
	size_t n = holder->size, grain = grain_in(s, holder);
	size_t i = n - n % grain;

	memset(leads, 0, n + 1);
	leads[n] = 1;
	while (i > STEP) {
		struct cp_record_head h;
		uint64_t whole;

		i -= grain;
		if (n - i < CP_HEAD_SIZE)
			continue;
		if (i > 2 * STEP && cp_stream_zeros(p + i - STEP, n - i)) {
			i -= STEP - grain;
			continue;
		}
		h = cp_head_read(p + i, s->swap);
		whole = whole_size(s, &h, p + i, n - i);
		leads[i] = h.type != 0 && whole <= n - i && leads[i + whole] &&
			   cp_stream_plausible(s, &h);
	}
}

/* The end of the places in the n bytes where the first record may start. */
static size_t
last_start(const uint8_t *p, size_t n, size_t from, uint32_t slack)
{
	if (slack == 0)
		return n;
	while (from < n && p[from] == 0) /* room for larger contents */
		from++;
	return CP_MIN(from + STEP, n);
}

/*
 * Do records lead from somewhere in it to its end?  Where its content ends
 * earlier, by that many bytes, only from there or after zeros.
 */
static bool
some_lead(struct cp_stream *s, struct cp_window *w,
    const struct cp_record_head *holder, uint32_t slack)
{
	size_t n = holder->size, from = slack != 0 ? n - slack : STEP;
	size_t last = last_start(w->at, n, from, slack);
	unsigned looks = 0;

	if (s->leads == NULL)
		s->leads = cp_xmalloc(CP_MAX_RECORD + 1);
	find_ways(s, holder, w->at, s->leads);
	for (size_t i = from; i < last && looks < CP_MAX_LOOKS; i++) {
		struct cp_record_head h;

		if (s->leads[i] == 0)
			continue;
		h = cp_head_read(w->at + i, s->swap);
		if (!may_hide(holder->type, h.type))
			continue;
		looks++;
		if (cp_stream_judge(s, w->at + i, &h) >= CP_PERHAPS)
			return true;
	}
	return false;
}

bool
cp_stream_hides(struct cp_stream *s, struct cp_window *w,
    const struct cp_record_head *h, uint32_t slack)
{
	if (h->size <= STEP)
		return false;
	return some_lead(s, w, h, slack) ||
	       (!followed(s, w, h->size) &&
		   first_start(s, w, h->size) < h->size);
}

/*
 * The record at i, which ends after the first n bytes: is it surely one?
 * Before the first sample there is no time to compare.
 */
static bool
overlaps(struct cp_stream *s, struct cp_window *w, size_t i, size_t n)
{
	size_t left = cp_window_have(w, REACH);
	struct cp_record_head h = cp_head_read(w->at + i, s->swap);
	enum cp_verdict least = s->last_time == CP_NO_TIME && h.size >= LARGE
				    ? CP_PERHAPS
				    : CP_SURELY;

	return h.type == CP_RECORD_SAMPLE && h.size > n - i &&
	       cp_stream_record_at(s, w->at + i, left - i, w->ended) >= least &&
	       followed(s, w, i + h.size);
}

bool
cp_stream_overrun(struct cp_stream *s, struct cp_window *w, size_t n)
{
	size_t left = cp_window_have(w, REACH), grain = cp_stream_grain(s);

	for (size_t i = STEP; i < n && i + CP_HEAD_SIZE <= left; i += grain)
		if (overlaps(s, w, i, n))
			return true;
	return false;
}
