/* SPDX-License-Identifier: MIT */
/*
 * messages: bytes that can be read as a message are one, unless they look like
 * a text.
 */
#include "base/redact/messages.h"

enum { MAX_DEPTH = 16 };

enum { VARINT = 0, EIGHT = 1, BYTES = 2, FOUR = 5 };

/* A reader of fields. */
struct reader {
	const uint8_t *at, *end;
};

static bool
varint(struct reader *r, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		uint8_t c = *r->at++;

		*v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return true;
	}
	return false;
}

/* Reads a field; *bytes: what it has of them, or NULL.  False: it is none. */
static bool
field(struct reader *r, const uint8_t **bytes, size_t *n)
{
	uint64_t key, v = 0;

	*bytes = NULL;
	if (!varint(r, &key) || key >> 3 == 0)
		return false;
	switch (key & 7) {
	case VARINT: return varint(r, &v);
	case EIGHT: v = 8; break;
	case FOUR: v = 4; break;
	case BYTES:
		if (!varint(r, &v))
			return false;
		*bytes = r->at;
		break;
	default: return false;
	}
	if (v > (uint64_t)(r->end - r->at))
		return false;
	*n = (size_t)v;
	r->at += v;
	return true;
}

static bool
is_message(const uint8_t *p, size_t n)
{
	struct reader r = { p, p + n };
	const uint8_t *bytes;
	size_t size;

	while (r.at < r.end)
		if (!field(&r, &bytes, &size))
			return false;
	return true;
}

/* Bytes that texts seldom have. */
static size_t
controls(const uint8_t *p, size_t n)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += p[i] < ' ' && p[i] != '\t' && p[i] != '\n';
	return found;
}

bool
cp_message_texts(const uint8_t *p, size_t n, cp_message_text *give, void *ctx)
{
	const uint8_t *ends[MAX_DEPTH], *bytes;
	struct reader r = { p, p + n };
	size_t depth = 0, size, strange;

	if (!is_message(p, n))
		return true;
	for (;;) {
		for (; r.at == r.end && depth > 0; depth--)
			r.end = ends[depth - 1];
		if (r.at == r.end || !field(&r, &bytes, &size))
			return true;
		if (bytes == NULL || size == 0)
			continue;
		strange = controls(bytes, size);
		if (depth < MAX_DEPTH && strange != 0 &&
		    is_message(bytes, size)) {
			ends[depth++] = r.end;
			r = (struct reader){ bytes, bytes + size };
		} else if (strange <= size / 8 && !give(ctx, bytes, size)) {
			return false;
		}
	}
}
