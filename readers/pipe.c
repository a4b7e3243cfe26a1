/* SPDX-License-Identifier: MIT */
/*
 * pipe: perf.data in pipe mode, from a pipe or saved to a file.
 *
 * A header of 16 bytes, then records only; the data of a file's header comes as
 * records (control.c).
 */
#include "readers/header/magic.h"
#include "readers/reader.h"
#include "readers/record/stream.h"
#include "readers/rules.h"

static int
pipe_bid(const struct cp_input *in)
{
	struct cp_magic m = cp_magic_guess(in);

	if (!m.valid || m.size != CP_PIPE_HEAD)
		return 0;
	return m.guessed && !cp_magic_read(in->head, in->head_len).valid ? 2
									 : 10;
}

static int
pipe_open(struct cp_capture *src)
{
	struct cp_stream *s = cp_xcalloc(1, sizeof(*s));
	struct cp_magic m;

	m = cp_magic_guess(&src->in);
	if (m.guessed)
		cp_found(src->diags, CP_R_MAGIC, 0,
		    "what follows it tells that this is a stream");
	src->rec->swap = m.swap;
	cp_stream_init(s, src->rec, src->quality, src->diags);
	s->pipe = true;
	cp_window_pull(&s->outer, &src->in, CP_PIPE_HEAD,
	    src->in.seekable ? src->in.size : UINT64_MAX);
	src->quality->bytes_parsed += CP_PIPE_HEAD;
	src->state = s;
	return CP_OK;
}

/* Is it a part of what the recorder writes before the first sample? */
static bool
describes(const struct cp_event *ev)
{
	return ev->type == CP_RECORD_HEADER_ATTR ||
	       (ev->type == CP_RECORD_HEADER_FEATURE &&
		   ev->size > CP_HEAD_SIZE + 8); /* not the mark of their end */
}

/* perf writes at least the mark, or the kernel's mapping, after them. */
static void
ended_early(struct cp_capture *src, const struct cp_stream *s)
{
	if (!s->describes || src->quality->cut)
		return;
	src->quality->cut = true;
	cp_diag_at(src->diags, CP_D_TRUNCATED, s->outer.offset,
	    "it ends in the recording's description");
}

static int
pipe_next(struct cp_capture *src, struct cp_event *ev)
{
	struct cp_stream *s = src->state;

	if (cp_stream_next(s, ev)) {
		s->describes = describes(ev);
		return 1;
	}
	cp_stream_ended(s);
	ended_early(src, s);
	if (!src->in.seekable)
		src->quality->bytes_total = s->outer.offset;
	if (src->rec->evsels.all.len == 0)
		cp_diag(src->diags, CP_D_NO_ATTRS, "no HEADER_ATTR record");
	return 0;
}

static uint64_t
pipe_lane(struct cp_capture *src, struct cp_order *o)
{
	struct cp_stream *s = src->state;
	uint64_t n = cp_stream_lane(s, o);

	s->describes &= n == 0;
	return n;
}

static void
pipe_close(struct cp_capture *src)
{
	cp_stream_close(src->state);
	free(src->state);
}

const struct cp_reader cp_reader_pipe = {
	.name = "pipe",
	.bid = pipe_bid,
	.open = pipe_open,
	.next = pipe_next,
	.lane = pipe_lane,
	.close = pipe_close,
};
