/* SPDX-License-Identifier: MIT */
/*
 * readers/record/decoded.h: how far a record's content agrees with its size.
 */
#ifndef CP_READERS_RECORD_DECODED_H
#define CP_READERS_RECORD_DECODED_H

#include "base/bytes.h"
#include "model/event.h"

enum cp_decoded {
	CP_DECODED_BAD,   /* the content contradicts the size */
	CP_DECODED_SLACK, /* cp_event.slack bytes follow the content */
	CP_DECODED_LOOSE, /* nothing in the content tells the size */
	CP_DECODED_EXACT,
};

/*
 * Judges a content that ends here; fewer than `align` bytes of padding may
 * follow.
 */
static inline enum cp_decoded
cp_decode_end(const struct cp_bytes *b, size_t align)
{
	if (b->failed)
		return CP_DECODED_BAD;
	return cp_bytes_left(b) < align ? CP_DECODED_EXACT : CP_DECODED_SLACK;
}

/*
 * Reads a text and its padding to a multiple of 8: zeros or leftover bytes of
 * memory.
 */
static inline enum cp_decoded
cp_decode_text(struct cp_bytes *b, const char **out)
{
	const char *s = cp_bytes_str(b);

	if (s == NULL)
		return CP_DECODED_BAD;
	*out = s;
	return cp_decode_end(b, 8);
}

/* decode-perf.c: the records that perf itself writes. */

enum cp_decoded cp_decode_perf(struct cp_bytes *, struct cp_event *);

#endif
