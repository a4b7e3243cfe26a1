/* SPDX-License-Identifier: MIT */
#include "readers/reader.h"

#include <unistd.h>

static int
no_reader(struct cp_capture *s)
{
	const uint8_t *h = s->in.head;

	if (s->in.head_len == 0)
		cp_diag(s->diags, CP_D_EMPTY, NULL);
	else if (s->in.head_len >= 8 && memcmp(h, "\x40\0\0\0\0\0", 6) == 0)
		cp_diag(s->diags, CP_D_HEADERLESS,
		    "it begins with an event description");
	else
		cp_no_capture(
		    &s->in, s->diags, "no perf magic in the first bytes");
	return CP_FAIL;
}

int
cp_capture_start(struct cp_capture *s)
{
	const struct cp_reader *outer = s->reader;
	int best = 0;

	s->reader = NULL;
	for (size_t i = 0; s->readers[i] != NULL; i++) {
		int bid = s->readers[i]->bid(&s->in);

		if (bid > best && s->readers[i] != outer) {
			best = bid;
			s->reader = s->readers[i];
		}
	}
	if (s->reader == NULL)
		return no_reader(s);
	s->quality->bytes_total = s->in.size;
	if (outer == NULL)
		s->rec->container = s->reader->name;
	return s->reader->open(s);
}

static void
say_damaged(struct cp_capture *s, const struct cp_snapshot_meta *was)
{
	if (was->gaps != 0)
		cp_diag(s->diags, CP_D_BAD_RECORD,
		    "%" PRIu64 " byte%s, when the snapshot was made",
		    was->bytes_total - was->bytes_parsed,
		    cp_s(was->bytes_total - was->bytes_parsed));
	if (was->bytes_missing != 0)
		cp_diag(s->diags, CP_D_TRUNCATED,
		    "%" PRIu64 " byte%s, when the snapshot was made",
		    was->bytes_missing, cp_s(was->bytes_missing));
}

/* Sets the account of a snapshot's records to that of the original capture. */
static void
account_as_was(struct cp_capture *s)
{
	const struct cp_snapshot_meta *was = &s->was;
	struct cp_quality *q = s->quality;
	uint64_t lost =
	    q->bytes_total - CP_MIN(q->bytes_total, q->bytes_parsed);

	say_damaged(s, was);
	q->bytes_total = was->bytes_total;
	q->bytes_parsed = was->bytes_parsed - CP_MIN(was->bytes_parsed, lost);
	q->bytes_skipped = q->bytes_total - q->bytes_parsed;
	q->bytes_missing += was->bytes_missing;
	q->gaps += was->gaps;
	/* The snapshot has no compressed records any more. */
	if (was->records != 0 && lost == 0)
		q->records = was->records;
	q->gap_time_ns += was->gap_time_ns;
	s->was.bytes_total = 0;
}

int
cp_capture_next(struct cp_capture *s, struct cp_event *ev)
{
	int more = s->reader->next(s, ev);

	if (CP_UNLIKELY(more == 0) && s->was.bytes_total != 0)
		account_as_was(s);
	return more;
}

uint64_t
cp_capture_lane(struct cp_capture *s, struct cp_order *o)
{
	return s->reader->lane != NULL ? s->reader->lane(s, o) : 0;
}

uint64_t
cp_capture_pass(struct cp_capture *s)
{
	return cp_capture_lane(s, NULL);
}

bool
cp_capture_rereads(const struct cp_capture *s)
{
	return s->in.seekable && s->reader->again != NULL;
}

bool
cp_capture_again(struct cp_capture *s, uint64_t offset, struct cp_event *ev)
{
	return s->reader->again(s, offset, ev);
}

void
cp_capture_close(struct cp_capture *s)
{
	if (s->reader != NULL && s->state != NULL)
		s->reader->close(s);
	cp_vec_free(&s->claimed);
	cp_vec_free(&s->parts);
	cp_input_close(&s->in);
	if (s->snapshot > 0)
		close(s->snapshot);
	s->snapshot = 0;
}
