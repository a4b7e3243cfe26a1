/* SPDX-License-Identifier: MIT */
/*
 * stream: the walk over records.
 *
 * Uncompressed records and those inside compressed records take the same steps,
 * from the outer and the inner window.  Events are delivered in file order.
 */
#include <ctype.h>
#include <zstd.h>

#include "base/limits.h"
#include "readers/record/stream.h"
#include "readers/rules.h"

enum step {
	STEP_EVENT,
	STEP_AGAIN, /* something was skipped: try again */
	STEP_END,   /* the end, or more must be pushed first */
};

void
cp_stream_init(struct cp_stream *s, struct cp_recording *rec,
    struct cp_quality *quality, struct cp_diags *diags)
{
	*s = (struct cp_stream){ .rec = rec,
		.quality = quality,
		.diags = diags,
		.swap = rec->swap,
		.last_time = CP_NO_TIME,
		.time_before = CP_NO_TIME,
		.aux = rec->info.aux.len != 0 };
}

void
cp_stream_close(struct cp_stream *s)
{
	cp_window_free(&s->outer);
	cp_window_free(&s->inner);
	ZSTD_freeDCtx(s->zstd);
	free(s->reread);
	free(s->leads);
	free(s->kept);
	cp_stream_vouch_free(s);
	s->zstd = NULL;
}

/* ---------------------------------------------------------------- damage */

static bool
looks_like_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isprint(p[i]) && !isspace(p[i]) && p[i] != 0x1b)
			return false;
	return true;
}

/* Sets number and place of an event, for messages and for reading it again. */
static void
stamp(struct cp_stream *s, struct cp_event *ev, uint64_t offset, bool outer)
{
	ev->offset = offset;
	ev->number = ++s->number;
	ev->source = s->source;
	ev->outer = outer;
	ev->mended = false;
	s->diags->at_record = ev->number;
	s->diags->at_offset = ev->offset;
	s->quality->records++;
	if (ev->type != CP_RECORD_SAMPLE || ev->time == CP_NO_TIME)
		return;
	if (CP_UNLIKELY(s->in_gap) && s->last_time != CP_NO_TIME &&
	    ev->time > s->last_time)
		s->quality->gap_time_ns += ev->time - s->last_time;
	s->in_gap = s->anew = false;
	s->time_before = s->last_time;
	s->last_time = ev->time;
}

/*
 * Notes that the input ends early; false if that was reported from its header.
 */
static bool
ends_early(struct cp_stream *s)
{
	if (!s->cut)
		s->quality->cut = true;
	return !s->cut;
}

/*
 * Returns an offset in the file; for inflated bytes, the offset up to which the
 * file was read.
 */
static uint64_t
place(const struct cp_stream *s, const struct cp_window *w)
{
	return w == &s->outer ? w->offset : s->outer.offset;
}

static enum step
damaged(struct cp_stream *s, struct cp_window *w, enum cp_rule rule,
    struct cp_event *ev)
{
	const char *what = cp_rule_text(rule);
	uint64_t at = w->offset, where = place(s, w);
	uint64_t gaps = s->quality->gaps;
	size_t left = cp_window_have(w, 64);
	const char *how;
	bool text;
	uint32_t type;

	text = s->pipe && left >= CP_HEAD_SIZE &&
	       looks_like_text(w->at, CP_MIN(left, (size_t)64));
	type = cp_load32(w->at, s->swap);
	s->doubt |= w == &s->inner && !s->anew;
	cp_stream_keep(s, w);
	cp_stream_resync(s, w);
	if (w == &s->inner)
		s->quality->bytes_undecided += w->offset - at;
	how = w == &s->inner ? NULL : cp_stream_mend(s, w, ev);
	if (how != NULL) {
		cp_found(s->diags, rule, where,
		    "%s, type %" PRIu32 ", used with %" PRIu32 " bytes%s", what,
		    type, ev->size, how);
		stamp(s, ev, at, false);
		ev->mended = w == &s->outer;
		return STEP_EVENT;
	}
	/* More than a header: it may have been a compressed record. */
	if (w == &s->outer && w->offset - at > CP_HEAD_SIZE)
		cp_stream_lose(s);
	if (cp_window_have(w, 1) != 0)
		cp_found(s->diags, rule, where,
		    "%s, type %" PRIu32 ", %" PRIu64 " byte%s skipped", what,
		    type, w->offset - at, cp_s(w->offset - at));
	else if (text)
		cp_diag_at(s->diags, CP_D_TRAILING, at, "%" PRIu64 " byte%s",
		    w->offset - at, cp_s(w->offset - at));
	else if (ends_early(s))
		cp_diag_at(s->diags, CP_D_TRUNCATED, where,
		    "%s, %" PRIu64 " byte%s lost", what, w->offset - at,
		    cp_s(w->offset - at));
	if (text && cp_window_have(w, 1) == 0)
		s->quality->gaps = gaps;
	return STEP_AGAIN;
}

/* The window ends inside the record or its header. */
static enum step
cut_short(
    struct cp_stream *s, struct cp_window *w, size_t left, struct cp_event *ev)
{
	if (w->in == NULL && !w->ended)
		return STEP_END;
	if (left >= CP_HEAD_SIZE)
		return damaged(s, w, CP_R_CUT, ev);
	if (ends_early(s))
		cp_diag_at(s->diags, CP_D_TRUNCATED, place(s, w),
		    "%zu byte%s of a record's header", left, cp_s(left));
	cp_window_skip(w, left);
	if (w == &s->outer)
		s->quality->bytes_skipped += left;
	return STEP_END;
}

/* ----------------------------------------------------------------- steps */

static void
accept(struct cp_stream *s, struct cp_window *w, struct cp_event *ev)
{
	bool outer = w == &s->outer;

	stamp(s, ev, w->offset, outer);
	if (CP_UNLIKELY(s->rec->info.compressed || s->zstd != NULL))
		cp_stream_know(s, ev);
	cp_window_step(w, ev->size);
	if (!outer) {
		s->diags->at_offset = place(s, w);
		return;
	}
	s->quality->bytes_parsed += ev->size;
	s->plain |= ev->type == CP_RECORD_SAMPLE;
}

/*
 * Notes what is unusual in a record that nothing contradicts.  A sample whose
 * id is of no event counts for the event that lost its own.
 */
static void
doubts(struct cp_stream *s, const struct cp_window *w,
    const struct cp_event *ev, bool known, bool slack)
{
	const struct cp_evsels *e = &s->rec->evsels;

	if (CP_UNLIKELY(!known)) {
		cp_found(s->diags, CP_R_TYPE, place(s, w), "type %" PRIu32,
		    ev->type);
		s->quality->unknown_records++;
	}
	if (CP_UNLIKELY(slack))
		cp_found(s->diags, CP_R_SLACK, place(s, w),
		    "%" PRIu32 " byte%s after the content of a record of type "
		    "%" PRIu32,
		    ev->slack, cp_s(ev->slack), ev->type);
	if (CP_LIKELY(ev->type == CP_RECORD_SAMPLE)) {
		s->slack = CP_UNLIKELY(slack) ? ev->slack : s->slack;
		if (CP_UNLIKELY(e->lost_ids != NULL) && ev->id != 0 &&
		    cp_evsels_find(e, ev->id) == NULL)
			cp_found(s->diags, CP_R_IDS_LOST, place(s, w),
			    "samples of no known id count for event %" PRIu32,
			    e->lost_ids->pub.index);
	} else if (!cp_stream_id_known(s, ev)) {
		cp_found(s->diags, CP_R_OTHER_ID, place(s, w),
		    "id %" PRIu64 " in a record of type %" PRIu32
		    " is of no event",
		    ev->id, ev->type);
	}
}

/* The next header is in view: can it be one? */
static bool
followed(const struct cp_stream *s, const struct cp_window *w,
    const struct cp_record_head *h)
{
	struct cp_record_head next;
	bool known;

	if ((size_t)(w->end - w->at) < (size_t)h->size + CP_HEAD_SIZE)
		return true;
	next = cp_head_read(w->at + h->size, s->swap);
	return cp_head_plausible(&next, &known) ||
	       (s->odd && cp_head_possible(&next));
}

/*
 * Does a sample leave more bytes than any recorder does, or some bytes, with an
 * id that no event has?  Zeros in place of its counts look like that.
 */
static bool
is_hollow(const struct cp_stream *s, const struct cp_event *ev)
{
	enum { MOST = 64 };
	const struct cp_evsels *e = &s->rec->evsels;

	if (ev->type != CP_RECORD_SAMPLE || ev->slack == s->slack)
		return false;
	return ev->slack > MOST ||
	       (e->sample_id_at >= 0 && cp_evsels_find(e, ev->id) == NULL);
}

/*
 * Judges a record whose header and size are possible by what is in it and
 * around it.  The window may move.
 */
static enum cp_rule
proof(struct cp_stream *s, struct cp_window *w, const struct cp_record_head *h,
    enum cp_decoded d, struct cp_event *ev)
{
	bool loose = d <= CP_DECODED_LOOSE;

	if (CP_UNLIKELY(loose)) {
		if (cp_stream_hides(
			s, w, h, d == CP_DECODED_SLACK ? ev->slack : 0))
			return CP_R_HOLDS;
		if (d == CP_DECODED_SLACK &&
		    (is_hollow(s, ev) || !cp_stream_goes_on(s, w, h->size)))
			return CP_R_CONTENT;
		cp_decode(&s->rec->evsels, w->at, h, s->swap, ev);
	}
	if (CP_LIKELY(h->type == CP_RECORD_SAMPLE)) {
		if (CP_UNLIKELY(ev->time != CP_NO_TIME &&
				s->last_time != CP_NO_TIME &&
				cp_stream_far(ev->time, s->last_time)) &&
		    cp_stream_disguised(s, w, h))
			return CP_R_DISGUISED;
	} else if (cp_stream_retyped(s, w, h, ev, d)) {
		return CP_R_RETYPED;
	} else if (CP_UNLIKELY(loose && cp_stream_trailerless(s, ev))) {
		return CP_R_TRAILER;
	}
	if (CP_UNLIKELY(!followed(s, w, h)) &&
	    h->type < CP_RECORD_HEADER_ATTR && cp_stream_overrun(s, w, h->size))
		return CP_R_OVERRUN;
	/* Looks at other records move the window, and use the same memory. */
	if (CP_UNLIKELY(loose || ev->bytes != w->at ||
			h->type == CP_RECORD_CALLCHAIN_DEFERRED))
		cp_decode(&s->rec->evsels, w->at, h, s->swap, ev);
	return CP_R_SOUND;
}

/* After damage in the zstd frame: leaves a record out that may be wrong. */
static bool
leave_out(struct cp_stream *s, struct cp_window *w, const struct cp_event *ev)
{
	if (cp_stream_vouched(s, ev))
		return false;
	cp_found(s->diags, CP_R_UNVOUCHED, place(s, w),
	    "type %" PRIu32 ", %s after damage", ev->type,
	    cp_rule_text(CP_R_UNVOUCHED));
	s->quality->bytes_undecided += ev->size;
	cp_window_step(w, ev->size);
	return true;
}

static enum step
stream_step(struct cp_stream *s, struct cp_window *w, struct cp_event *ev)
{
	size_t left = cp_window_have(w, CP_HEAD_SIZE);
	struct cp_record_head h;
	enum cp_rule rule;
	enum cp_decoded d;
	bool known = true, wrapped;

	if (left < CP_HEAD_SIZE)
		return left != 0 ? cut_short(s, w, left, ev) : STEP_END;
	h = cp_head_read(w->at, s->swap);
	wrapped = (CP_UNLIKELY(h.type == CP_RECORD_COMPRESSED2) &&
		      cp_stream_unwrap(s, w, &h)) ||
		  (w == &s->outer && cp_stream_unmask(s, w, &h));
	if (!wrapped && CP_UNLIKELY(!cp_head_plausible(&h, &known)) &&
	    !(known = cp_stream_odd(s, w, &h)) && !cp_stream_newer(s, w, &h))
		return damaged(s, w, CP_R_HEAD, ev);
	/*
	 * The next header should be in view, so that the window moves rarely
	 * while the record is judged.
	 */
	left = cp_window_have(w, (size_t)h.size + CP_HEAD_SIZE);
	if (CP_UNLIKELY(left < h.size))
		return cut_short(s, w, left, ev);
	__builtin_prefetch(w->at + h.size); /* where the next one starts */
	__builtin_prefetch(w->at + h.size + 64);
	d = cp_decode(&s->rec->evsels, w->at, &h, s->swap, ev);
	if (CP_UNLIKELY(d == CP_DECODED_BAD))
		return damaged(s, w, CP_R_CONTENT, ev);
	if (CP_UNLIKELY(h.type >= CP_RECORD_HEADER_ATTR) &&
	    !cp_stream_extra_fits(s, w, &h, ev))
		return damaged(s, w, CP_R_EXTRA, ev);
	if (!wrapped && (rule = proof(s, w, &h, d, ev)) != CP_R_SOUND)
		return damaged(s, w, rule, ev);
	if (CP_UNLIKELY(s->doubt) && w == &s->inner && leave_out(s, w, ev))
		return STEP_AGAIN;
	doubts(s, w, ev, known, d == CP_DECODED_SLACK);
	accept(s, w, ev);
	return STEP_EVENT;
}

/*
 * Handles a record of the outer window: inflates it, or stores what it says
 * about the recording.
 */
static bool
outer_done(struct cp_stream *s, const struct cp_event *ev)
{
	const uint8_t *p = ev->bytes;
	size_t head = CP_HEAD_SIZE, n = ev->size;

	if (CP_LIKELY(ev->type < CP_RECORD_HEADER_ATTR))
		return true; /* the kernel's own, which is an event */
	if (ev->type == CP_RECORD_COMPRESSED2) {
		head = 16;
		if (ev->offset >= s->flush_end)
			n = (size_t)CP_MIN(
				cp_load64(p + 8, s->swap), (uint64_t)n - head) +
			    head;
	}
	if (ev->type == CP_RECORD_COMPRESSED ||
	    ev->type == CP_RECORD_COMPRESSED2) {
		if (cp_stream_inflate(s, p + head, n - head) != CP_OK) {
			s->quality->bytes_skipped += ev->size;
			s->quality->bytes_parsed -= ev->size;
			s->in_gap = true;
		}
		return false;
	}
	cp_stream_control(s, ev);
	if (ev->outer) /* else it was mended: nothing of it is left */
		cp_stream_take_extra(s, &s->outer, ev);
	return true;
}

int
cp_stream_next(struct cp_stream *s, struct cp_event *ev)
{
	enum step r;

	for (;;) {
		if (s->inner.mem != NULL) {
			r = stream_step(s, &s->inner, ev);
			if (r == STEP_EVENT)
				return 1;
			if (r == STEP_AGAIN)
				continue;
		}
		if (CP_UNLIKELY(s->compare != CP_NEVER))
			cp_stream_compare(s);
		r = stream_step(s, &s->outer, ev);
		if (r == STEP_EVENT && outer_done(s, ev))
			return 1;
		if (r != STEP_END)
			continue;
		if (s->inner.mem == NULL || s->inner.ended)
			return 0;
		/* the inner window gets no more: judge its rest */
		s->inner.ended = true;
	}
}

/* The file may have been changed meanwhile, so everything is checked again. */
bool
cp_stream_again(struct cp_stream *s, uint64_t offset, struct cp_event *ev)
{
	struct cp_record_head h;

	if (s->reread == NULL)
		s->reread = cp_xmalloc(CP_MAX_RECORD);
	if (cp_input_read(s->outer.in, s->reread, CP_HEAD_SIZE, offset) !=
	    CP_HEAD_SIZE)
		return false;
	h = cp_head_read(s->reread, s->swap);
	if (h.type != CP_RECORD_SAMPLE || h.size < CP_HEAD_SIZE ||
	    cp_input_read(s->outer.in, s->reread, h.size, offset) !=
		(ssize_t)h.size ||
	    cp_decode(&s->rec->evsels, s->reread, &h, s->swap, ev) ==
		CP_DECODED_BAD)
		return false;
	ev->offset = offset;
	return true;
}

/* The file may give an error, or shrink while it is read. */
void
cp_stream_ended(struct cp_stream *s)
{
	struct cp_window *w = &s->outer;

	if (w->error != 0)
		cp_diag_at(
		    s->diags, CP_D_READ, w->offset, "%s", strerror(w->error));
	else if (w->limit != UINT64_MAX && w->offset < w->limit) {
		s->quality->cut = true;
		cp_diag_at(s->diags, CP_D_TRUNCATED, w->offset,
		    "%" PRIu64 " byte%s missing", w->limit - w->offset,
		    cp_s(w->limit - w->offset));
	}
	cp_stream_inflated(s);
	if (w->limit != UINT64_MAX)
		s->quality->bytes_skipped += w->limit - w->offset;
	w->error = 0;
	w->limit = w->offset;
	cp_window_leave(w);
}
