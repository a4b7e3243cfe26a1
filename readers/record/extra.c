/* SPDX-License-Identifier: MIT */
/*
 * extra: the bytes that follow some records and that their sizes do not count:
 * tracing data and AUX data.
 */
#include "base/limits.h"
#include "readers/header/attr-decode.h"
#include "readers/header/tracing.h"
#include "readers/record/stream-state.h"

/*
 * In a file the header has the descriptions.  A sample whose type became that
 * of one does not look like it.
 */
static bool
describes(const struct cp_stream *s, const struct cp_event *ev)
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

bool
cp_stream_extra_fits(const struct cp_stream *s, const struct cp_window *w,
    const struct cp_event *ev)
{
	uint64_t extra = cp_extra_size(ev);

	if ((ev->type == CP_RECORD_AUXTRACE && !s->aux) || !describes(s, ev))
		return false;
	if (w != &s->outer)
		return extra == 0;
	return extra == 0 || w->limit == UINT64_MAX ||
	       extra <= w->limit - w->offset;
}

static void
read_tracing(struct cp_stream *s, struct cp_window *w, uint64_t size)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *blob = NULL;
	size_t got = 0;

	if (size > CP_MAX_TRACING) {
		cp_diag(s->diags, CP_D_LIMIT,
		    "tracing data of %" PRIu64 " bytes", size);
		cp_window_skip(w, size);
		return;
	}
	blob = cp_xmalloc((size_t)size);
	while (got < size) {
		size_t n = CP_MIN(cp_window_have(w, 1), (size_t)size - got);

		if (n == 0)
			break;
		memcpy(blob + got, w->at, n);
		cp_window_step(w, n);
		got += n;
	}
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
		cp_diag(
		    s->diags, CP_D_AUX_UNSUPPORTED, "%" PRIu64 " bytes", extra);
		s->quality->aux_bytes += cp_window_skip(w, extra);
	}
	s->quality->bytes_parsed += w->offset - from;
}
