/* SPDX-License-Identifier: MIT */
/*
 * mend: records in which only one thing is wrong.
 *
 * The start of the next record gives the true size of the damaged one.  If the
 * content fits that size, the record can be used.
 *
 * If the size is right, one more thing has one true value: the kernel ends a
 * text with a zero, so the last byte before the trailer is one.  Like a header
 * of a wrong size, the 8 bytes with the damage count as skipped.
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

static bool
ends_with_text(uint32_t type)
{
	return type == CP_RECORD_MMAP || type == CP_RECORD_MMAP2 ||
	       type == CP_RECORD_COMM || type == CP_RECORD_KSYMBOL ||
	       type == CP_RECORD_CGROUP;
}

/* Ends the text of a record in which no zero does. */
static const char *
end_text(struct cp_stream *s, const struct cp_record_head *h, size_t trailer)
{
	if (h->size <= CP_HEAD_SIZE + trailer)
		return NULL;
	s->kept[h->size - trailer - 1] = 0;
	return ", its text ended";
}

/* Mends the text of the record, whose size is right.  NULL: not possible. */
static const char *
mend_text(struct cp_stream *s, const struct cp_record_head *h)
{
	const struct cp_evsels *e = &s->rec->evsels;
	const struct cp_evsel_info *own;
	struct cp_event ev;

	if (!ends_with_text(h->type) ||
	    cp_decode(e, s->kept, h, s->swap, &ev) != CP_DECODED_BAD)
		return NULL;
	own = ev.evsel < e->all.len ? e->all.data[ev.evsel] : NULL;
	return end_text(s, h, own != NULL ? own->trailer : 0);
}

const char *
cp_stream_mend(
    struct cp_stream *s, const struct cp_window *w, struct cp_event *ev)
{
	uint64_t size = s->resynced;
	struct cp_record_head h;
	const char *how = "";
	bool known;

	if (size > s->kept_size)
		return NULL;
	h = cp_head_read(s->kept, s->swap);
	if (h.size == size && (how = mend_text(s, &h)) == NULL)
		return NULL; /* something else is wrong */
	h.size = (uint32_t)size;
	if (!cp_head_plausible(&h, &known) ||
	    !believed(s, &h,
		cp_decode(&s->rec->evsels, s->kept, &h, s->swap, ev),
		w->at == w->end) ||
	    !cp_stream_describes(s, ev))
		return NULL;
	if (w == &s->outer) { /* all bytes except the 8 that are wrong */
		s->quality->bytes_skipped -= size - CP_HEAD_SIZE;
		s->quality->bytes_parsed += size - CP_HEAD_SIZE;
	}
	return how;
}
