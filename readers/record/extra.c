/* SPDX-License-Identifier: MIT */
/*
 * extra: the bytes that follow a record and have no header of their own.
 *
 * Nothing but the record tells how many they are.  A record whose type became
 * TRACING_DATA would take all that its second word says for text, and tracing
 * data that lost bytes take those of the next records.  So tracing data must
 * start as such, and if no record follows they end where the first one starts.
 */
#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/tracing.h"
#include "readers/record/stream-state.h"

enum {
	LENGTH_ALONE = 16, /* a TRACING_DATA record with that, padded */
	TAIL = CP_WINDOW_MAX / 2,
};

bool
cp_stream_describes(const struct cp_stream *s, const struct cp_event *ev)
{
	uint32_t size;

	if (s->pipe || ev->size < 16)
		return true;
	if (ev->type == CP_RECORD_HEADER_FEATURE)
		return cp_load64(ev->bytes + 8, ev->swap) < 256;
	size = cp_load32(ev->bytes + 12, ev->swap);
	return ev->type != CP_RECORD_HEADER_ATTR ||
	       (size >= CP_ATTR_SIZE_VER0 && size % 8 == 0 &&
		   size <= ev->size - CP_HEAD_SIZE);
}

/* Where the input ends before, that is told later. */
static bool
tracing_follows(struct cp_window *w, size_t size)
{
	size_t left = cp_window_have(w, size + CP_TRACING_START);

	return size <= LENGTH_ALONE && (left < size + CP_TRACING_START ||
					   cp_tracing_starts(w->at + size));
}

static bool
data_follow(const struct cp_stream *s, struct cp_window *w,
    const struct cp_event *ev, uint64_t extra)
{
	if (w != &s->outer)
		return false;
	if (w->limit != UINT64_MAX && extra > w->limit - w->offset)
		return false;
	return ev->type != CP_RECORD_TRACING_DATA ||
	       tracing_follows(w, ev->size);
}

/* Does a record, or the end, follow AUX data that nothing has announced? */
static bool
leads_on(const struct cp_stream *s, const struct cp_window *w, uint64_t n)
{
	uint64_t at = w->offset + n;
	uint8_t p[CP_HEAD_SIZE];
	struct cp_record_head h;
	bool known;

	if (w != &s->outer || !w->in->seekable || n > w->limit - w->offset)
		return false;
	if (at == w->limit)
		return true;
	if (cp_input_read(w->in, p, sizeof(p), at) != (ssize_t)sizeof(p))
		return false;
	h = cp_head_read(p, s->swap);
	return cp_head_plausible(&h, &known) && known;
}

bool
cp_stream_extra_fits(struct cp_stream *s, struct cp_window *w,
    const struct cp_record_head *h, struct cp_event *ev)
{
	uint64_t extra = cp_extra_size(ev);
	bool fits;

	if ((ev->type == CP_RECORD_AUXTRACE && !s->aux &&
		!(extra < INT64_MAX && leads_on(s, w, ev->size + extra))) ||
	    !cp_stream_describes(s, ev))
		return false;
	if (extra == 0)
		return true;
	fits = data_follow(s, w, ev, extra);
	if (ev->bytes != w->at) /* the window has moved */
		cp_decode(&s->rec->evsels, w->at, h, s->swap, ev);
	return fits;
}

/* Copies n bytes out of the window, or those that are left. */
static size_t
copy_out(struct cp_window *w, uint8_t *to, size_t n)
{
	size_t got = 0;

	while (got < n) {
		size_t part = CP_MIN(cp_window_have(w, 1), n - got);

		if (part == 0)
			break;
		memcpy(to + got, w->at, part);
		cp_window_step(w, part);
		got += part;
	}
	return got;
}

/* The end of the data is looked at: do records start there? */
static size_t
copy_tail(struct cp_stream *s, struct cp_window *w, uint8_t *to, size_t n)
{
	size_t whole = cp_stream_data_end(s, w, n);

	if (whole < n)
		cp_diag(s->diags, CP_D_BAD_TRACING,
		    "%zu byte%s of records in them", n - whole,
		    cp_s(n - whole));
	return copy_out(w, to, whole);
}

static void
read_tracing(struct cp_stream *s, struct cp_window *w, uint64_t size)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *blob = NULL;
	size_t head = size > TAIL ? (size_t)size - TAIL : 0, got;

	if (size > CP_MAX_TRACING) {
		cp_diag(s->diags, CP_D_LIMIT,
		    "tracing data of %" PRIu64 " bytes", size);
		cp_window_skip(w, size);
		return;
	}
	blob = cp_xmalloc((size_t)size);
	got = copy_out(w, blob, head);
	if (got == head)
		got += copy_tail(s, w, blob + got, (size_t)size - got);
	cp_tracing_read(
	    &s->rec->tracepoints, cp_bytes_of(blob, got, s->swap), s->diags);
	cp_recording_link(s->rec);
}

void
cp_stream_take_extra(
    struct cp_stream *s, struct cp_window *w, const struct cp_event *ev)
{
	uint64_t extra = cp_extra_size(ev), from = w->offset;

	if (extra == 0)
		return;
	if (ev->type == CP_RECORD_TRACING_DATA) {
		read_tracing(s, w, extra);
	} else {
		cp_diag(s->diags, CP_D_AUX_UNSUPPORTED, "%" PRIu64 " byte%s",
		    extra, cp_s(extra));
		s->quality->aux_bytes += cp_window_skip(w, extra);
	}
	s->quality->bytes_parsed += w->offset - from;
}
