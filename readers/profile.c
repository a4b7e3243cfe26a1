/* SPDX-License-Identifier: MIT */
/*
 * profile: recognises profiles of other tools, which have samples and no
 * records: text of perf script and folded stacks, JSON, protobuf.
 *
 * This reader delivers no events: run/import/ reads the input.
 */
#include "readers/reader.h"

/* Text as UTF-8, at least one line's worth of it. */
static bool
is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] == 0x7f || (p[i] < ' ' && p[i] != '\t' &&
					p[i] != '\n' && p[i] != '\r'))
			return false;
	return n >= 3;
}

/* Steps over a number of at most ten bytes; 0: it does not end. */
static size_t
varint(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < n && i < 10; i++) {
		*v |= (uint64_t)(p[i] & 0x7f) << (7 * i);
		if ((p[i] & 0x80) == 0)
			return i + 1;
	}
	return 0;
}

/* Fields 1 to 15 of a protobuf, as far as the bytes go: two, or a long one. */
static bool
is_protobuf(const uint8_t *p, size_t n)
{
	size_t fields = 0, i;

	for (i = 0; i < n; fields++) {
		unsigned type = p[i] & 7;
		uint64_t v;
		size_t used;

		if (p[i] >> 3 == 0 || p[i] >> 3 > 15 ||
		    (type != 0 && type != 2))
			return false;
		used = varint(p + i + 1, n - i - 1, &v);
		if (used == 0)
			return fields > 1 || (i > 32 && n - i <= 10);
		i += 1 + used;
		if (type == 2 && v > n - i)
			return fields > 1 || v > 32;
		i += type == 2 ? (size_t)v : 0;
	}
	return fields > 1 || i > 32;
}

enum cp_profile_kind
cp_profile_bid(const uint8_t *head, size_t n)
{
	size_t i = n > 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	/* A byte order mark, and a character that needs but one byte. */
	if (n >= 4 && ((memcmp(head, "\xff\xfe", 2) == 0 && head[2] != 0 &&
			   head[3] == 0) ||
			  (memcmp(head, "\xfe\xff", 2) == 0 && head[2] == 0)))
		return CP_PROFILE_UTF16;
	while (i < n && (head[i] == ' ' || head[i] == '\t' || head[i] == '\n' ||
			    head[i] == '\r'))
		i++;
	if (is_text(head, n))
		return i < n && head[i] == '{' ? CP_PROFILE_JSON
					       : CP_PROFILE_TEXT;
	if (n >= 10 && memcmp(head, "SIMPLEPERF", 10) == 0)
		return CP_PROFILE_PROTO;
	return is_protobuf(head, n) ? CP_PROFILE_PROTO : CP_PROFILE_NONE;
}

static int
profile_bid(const struct cp_input *in)
{
	return !in->directory &&
	       cp_profile_bid(in->head, in->head_len) != CP_PROFILE_NONE;
}

static int
profile_open(struct cp_capture *c)
{
	c->profile = cp_profile_bid(c->in.head, c->in.head_len);
	if (c->profile == CP_PROFILE_UTF16) {
		cp_diag(c->diags, CP_D_NOT_PERF,
		    "UTF-16 text: convert it by iconv -f UTF-16 -t UTF-8");
		return CP_FAIL;
	}
	if (c->takes_tables)
		return CP_OK;
	cp_diag(c->diags, CP_D_NOT_PERF,
	    "no perf magic in the first bytes; profiles of other tools have "
	    "samples alone, which report, flame, hotspots, sql, diff and merge "
	    "read");
	return CP_FAIL;
}

const struct cp_reader cp_reader_profile = {
	.name = "profile",
	.bid = profile_bid,
	.open = profile_open,
};
