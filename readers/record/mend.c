/* SPDX-License-Identifier: MIT */
/*
 * mend: records in which only the size is wrong.
 *
 * The start of the next record gives the true size of the damaged one.  If the
 * content fits that size, the record can be used.
 */
#include "base/limits.h"
#include "readers/record/stream-state.h"

/* True for types that are followed by other bytes before the next record. */
static bool
has_data_after(uint32_t type)
{
	return type == CP_RECORD_TRACING_DATA || type == CP_RECORD_AUXTRACE;
}

void
cp_stream_keep(struct cp_stream *s, struct cp_window *w)
{
	size_t left = cp_window_have(w, CP_MAX_RECORD);
	struct cp_record_head h;
	bool known;

	s->kept_size = 0;
	if (left < CP_HEAD_SIZE)
		return;
	h = cp_head_read(w->at, s->swap);
	h.size = UINT16_MAX - 7; /* whatever the header says */
	if (!cp_head_plausible(&h, &known) || !known || has_data_after(h.type))
		return;
	if (s->kept == NULL)
		s->kept = cp_xmalloc(CP_MAX_RECORD);
	s->kept_size = CP_MIN(left, (size_t)CP_MAX_RECORD);
	memcpy(s->kept, w->at, s->kept_size);
}

static bool
believed(const struct cp_stream *s, const struct cp_record_head *h,
    enum cp_decoded d, bool at_end)
{
	bool compressed =
	    h->type == CP_RECORD_COMPRESSED || h->type == CP_RECORD_COMPRESSED2;

	if (h->type == CP_RECORD_SAMPLE)
		return cp_stream_judge(s, s->kept, h) == CP_SURELY;
	if (at_end && !compressed) /* no record was found after it */
		return d == CP_DECODED_EXACT;
	return d == CP_DECODED_EXACT ||
	       (d == CP_DECODED_LOOSE && h->type >= CP_RECORD_HEADER_ATTR);
}

bool
cp_stream_mend(
    struct cp_stream *s, const struct cp_window *w, struct cp_event *ev)
{
	uint64_t size = s->resynced;
	struct cp_record_head h;
	bool known;

	if (size > s->kept_size)
		return false;
	h = cp_head_read(s->kept, s->swap);
	if (h.size == size)
		return false; /* something else is wrong */
	h.size = (uint32_t)size;
	if (!cp_head_plausible(&h, &known) ||
	    !believed(s, &h,
		cp_decode(&s->rec->evsels, s->kept, &h, s->swap, ev),
		w->at == w->end) ||
	    !cp_stream_describes(s, ev))
		return false;
	if (w == &s->outer) { /* all bytes except the header, which is wrong */
		s->quality->bytes_skipped -= size - CP_HEAD_SIZE;
		s->quality->bytes_parsed += size - CP_HEAD_SIZE;
	}
	return true;
}
