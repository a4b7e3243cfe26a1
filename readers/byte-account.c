/* SPDX-License-Identifier: MIT */
/*
 * byte-account: counts which bytes of a file were used.
 *
 * The walk counts the bytes of the records itself.  The sections around it
 * may overlap in a damaged file, so their union counts, less what the walk
 * has seen.  Everything else was skipped: parsed + skipped = file size.
 */
#include "readers/byte-account.h"

/* Fewer bytes before a section pad the one before it. */
enum { PADDING = 8 };

void
cp_capture_claim(struct cp_capture *c, uint64_t offset, uint64_t size)
{
	*cp_vec_push(&c->claimed) = (struct cp_file_span){ offset, size };
}

static int
span_order(const void *a, const void *b)
{
	const struct cp_file_span *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
sort_claims(struct cp_capture *c)
{
	qsort(c->claimed.data, c->claimed.len, sizeof(*c->claimed.data),
	    span_order);
}

uint64_t
cp_capture_hole(struct cp_capture *c, uint64_t from, uint64_t to, uint64_t *at)
{
	sort_claims(c);
	*at = from;
	for (size_t i = 0; i < c->claimed.len && *at < to; i++) {
		const struct cp_file_span *s = &c->claimed.data[i];

		if (s->offset >= to)
			break;
		if (s->offset > *at && s->offset - *at >= PADDING)
			return s->offset - *at;
		*at = CP_MAX(*at, s->offset + s->size);
	}
	return *at < to && to - *at >= PADDING ? to - *at : 0;
}

/* Bytes of [from, to) outside the records. */
static uint64_t
outside(const struct cp_file_span *walked, uint64_t from, uint64_t to)
{
	uint64_t start = CP_MAX(from, walked->offset);
	uint64_t end = CP_MIN(to, walked->offset + walked->size);

	return to - from - (end > start ? end - start : 0);
}

void
cp_capture_account(struct cp_capture *c)
{
	struct cp_quality *q = c->quality;
	uint64_t done = 0;

	/*
	 * Claimed sections may include the records, which are counted already.
	 */
	cp_capture_claim(c, c->walked.offset, c->walked.size);
	sort_claims(c);
	for (size_t i = 0; i < c->claimed.len; i++) {
		const struct cp_file_span *s = &c->claimed.data[i];
		uint64_t from = CP_MAX(s->offset, done);

		if (s->offset + s->size <= from)
			continue;
		if (from - done < PADDING)
			from = done;
		done = s->offset + s->size;
		q->bytes_parsed += outside(&c->walked, from, done);
	}
	q->bytes_skipped = q->bytes_total - q->bytes_parsed;
	c->claimed.len = 0; /* A second call must not count them again. */
}
