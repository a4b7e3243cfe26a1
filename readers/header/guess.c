/* SPDX-License-Identifier: MIT */
/*
 * guess: restores damaged bytes among the first 16.
 *
 * A flipped bit in them would make a whole capture unreadable.  The rest of the
 * header, the first records of a stream, or the attrs show the kind of file and
 * its byte order.
 */
#include "readers/header/attrs.h"
#include "readers/header/magic.h"
#include "readers/record-head.h"

enum { NOTHING, A_FILE, A_STREAM };

/* Do two of perf's own records follow each other? */
static bool
stream_like(const struct cp_input *in, bool swap)
{
	size_t at = CP_PIPE_HEAD;

	for (int i = 0; i < 2; i++) {
		struct cp_record_head h;
		bool known;

		if (in->head_len - at < CP_HEAD_SIZE)
			return i != 0;
		h = cp_head_read(in->head + at, swap);
		if (!cp_head_plausible(&h, &known) || !known ||
		    h.type < CP_RECORD_HEADER_ATTR)
			return false;
		if (h.size > in->head_len - at)
			return i != 0 || h.type == CP_RECORD_HEADER_ATTR;
		at += h.size;
	}
	return true;
}

/* Do at least three of five properties hold that every file has? */
static bool
file_like(const struct cp_input *in, bool swap)
{
	uint64_t w[7];
	int n;

	if (in->head_len < CP_FILE_HEAD_OLD)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(w); i++)
		w[i] = cp_load64(in->head + 8 * i, swap);
	n = w[1] == CP_FILE_HEAD || w[1] == CP_FILE_HEAD_OLD;
	n += w[2] >= 80 && w[2] <= 4096 && w[2] % 8 == 0;
	n += w[3] >= CP_FILE_HEAD_OLD && w[3] < UINT32_MAX;
	n += w[2] != 0 && w[4] >= w[2] && w[4] % w[2] == 0;
	n += w[5] >= CP_FILE_HEAD_OLD && w[5] == w[3] + w[4];
	return n >= 3;
}

static int
kind_of(const struct cp_input *in, bool swap)
{
	struct cp_file_span where;
	uint64_t entry;

	if (in->head_len < CP_FILE_HEAD_OLD)
		return NOTHING;
	if (file_like(in, swap))
		return A_FILE;
	if (stream_like(in, swap))
		return A_STREAM;
	return cp_attrs_locate(in, swap, &where, &entry) ? A_FILE : NOTHING;
}

static struct cp_magic
guessed(int kind, bool swap)
{
	return (struct cp_magic){ .valid = kind != NOTHING,
		.guessed = kind != NOTHING,
		.swap = swap,
		.size = kind == A_STREAM ? CP_PIPE_HEAD : CP_FILE_HEAD };
}

struct cp_magic
cp_magic_guess(const struct cp_input *in)
{
	struct cp_magic m = cp_magic_read(in->head, in->head_len);
	int kind;

	if (m.v1 || in->directory || in->head_len < CP_PIPE_HEAD)
		return m;
	if (m.valid && m.size == CP_PIPE_HEAD) {
		kind = stream_like(in, m.swap) ? A_STREAM : NOTHING;
		return kind == NOTHING && file_like(in, m.swap)
			   ? guessed(A_FILE, m.swap)
			   : m;
	}
	if (m.valid) {
		if (stream_like(in, m.swap) && !file_like(in, m.swap))
			return guessed(A_STREAM, m.swap);
		return m;
	}
	kind = kind_of(in, false);
	return kind != NOTHING ? guessed(kind, false)
			       : guessed(kind_of(in, true), true);
}
