/* SPDX-License-Identifier: MIT */
/*
 * file: a seekable perf.data file.
 */
#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/events.h"
#include "readers/record/stream.h"

static int
file_bid(const struct cp_input *in)
{
	return cp_file_header_bid(in);
}

static int
file_open(struct cp_capture *src)
{
	struct cp_file_header h;
	struct cp_window *w;
	struct cp_stream *s;

	if (cp_file_header_read(src, &h) != CP_OK)
		return CP_FAIL;
	s = cp_xcalloc(1, sizeof(*s));
	cp_stream_init(s, src->rec, src->quality, src->diags);
	cp_window_pull(
	    &s->outer, &src->in, h.data.offset, h.data.offset + h.data.size);
	s->cut = h.cut;
	s->shifted = h.shifted;
	src->walked = h.data;
	src->header = cp_xmalloc(sizeof(h));
	*src->header = h;
	src->state = s;
	w = &s->outer;
	return cp_file_events(src, &h, &w, 1);
}

static int
file_next(struct cp_capture *src, struct cp_event *ev)
{
	struct cp_stream *s = src->state;

	if (cp_stream_next(s, ev))
		return 1;
	cp_stream_ended(s);
	cp_capture_account(src);
	return 0;
}

static uint64_t
file_lane(struct cp_capture *src, struct cp_order *o)
{
	return cp_stream_lane(src->state, o);
}

static bool
file_again(struct cp_capture *src, uint64_t offset, struct cp_event *ev)
{
	return cp_stream_again(src->state, offset, ev);
}

static void
file_close(struct cp_capture *src)
{
	cp_stream_close(src->state);
	free(src->state);
	free(src->header);
}

const struct cp_reader cp_reader_file = {
	.name = "file",
	.bid = file_bid,
	.open = file_open,
	.next = file_next,
	.lane = file_lane,
	.again = file_again,
	.close = file_close,
};
