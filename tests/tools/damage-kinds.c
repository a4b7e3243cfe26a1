/* SPDX-License-Identifier: MIT */
/*
 * damage: the ways to spoil a capture.
 *
 * Each kind takes all it does from the seed, so a failure can be repeated.
 * What is intact afterwards is not decided here: damage.c compares bytes.
 */
#include <zstd.h>

#include "base/hash.h"
#include "damage.h"

uint64_t
dg_below(struct dg *dg, uint64_t n)
{
	dg->random = cp_hash64(dg->random + dg->seed + 1);
	return n != 0 ? dg->random % n : 0;
}

static void
put(struct dg *dg, uint64_t at, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width && at + i < dg->bad.len; i++)
		dg->bad.data[at + (dg->swap ? width - 1 - i : i)] =
		    (char)(v >> 8 * i);
}

/* Values that break careless readers. */
static uint64_t
odd_value(struct dg *dg)
{
	static const uint64_t v[] = { 0, 1, 7, 8, 0x7f, 0xff, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xffffffff, UINT64_C(1) << 32,
		INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 7, UINT64_MAX };
	uint64_t i = dg_below(dg, CP_ARRAY_LEN(v) + 3);

	if (i < CP_ARRAY_LEN(v))
		return v[i];
	if (i == CP_ARRAY_LEN(v))
		return dg->good.len + dg_below(dg, 64);
	return dg_below(dg, 0);
}

static bool
flip(struct dg *dg, struct dg_range r)
{
	uint64_t n = 1 + dg_below(dg, 16);

	if (r.at >= dg->bad.len || r.len == 0)
		return false;
	r.len = CP_MIN(r.len, dg->bad.len - r.at);
	while (n-- != 0) {
		uint64_t at = r.at + dg_below(dg, r.len);

		dg->bad.data[at] ^= (char)(1 << dg_below(dg, 8));
	}
	return true;
}

static bool
fill(struct dg *dg, struct dg_range r, bool noise)
{
	uint64_t page = dg->bad.len > 32768 ? 4096 : 512;
	uint64_t n = 1 + dg_below(dg, 3);

	if (r.len == 0)
		return false;
	while (n-- != 0) {
		uint64_t at = (r.at + dg_below(dg, r.len)) / page * page;

		for (uint64_t i = 0; i < page; i++, at++)
			if (at >= r.at && at < r.at + r.len)
				dg->bad.data[at] =
				    noise ? (char)dg_below(dg, 256) : 0;
	}
	return true;
}

/* One of several ranges; an empty one if there is none. */
#define PICK(dg, v)                                                            \
	((v).len != 0 ? (v).data[dg_below((dg), (v).len)]                      \
		      : (struct dg_range){ 0, 0 })

static struct dg_range
whole(const struct dg *dg)
{
	return (struct dg_range){ 0, dg->bad.len };
}

/* ------------------------------------------------------------------ cut */

static bool
cut_page(struct dg *dg)
{
	uint64_t page = dg->bad.len > 32768 ? 4096 : 512;

	dg->bad.len = (1 + dg_below(dg, (dg->bad.len - 1) / page)) * page;
	dg->bad.len = CP_MIN(dg->bad.len, dg->good.len - 1);
	return true;
}

static bool
cut_any(struct dg *dg)
{
	dg->bad.len = 1 + dg_below(dg, dg->bad.len - 1);
	return true;
}

/* What a killed recorder leaves: no size, no features, the last write cut. */
static bool
killed(struct dg *dg)
{
	if (!dg->pipe)
		put(dg, 48, 8, 0);
	dg->bad.len = dg->data.at + 1 + dg_below(dg, dg->data.len);
	return true;
}

/* ---------------------------------------------------------------- flips */

static bool
flip_header(struct dg *dg)
{
	return flip(dg, (struct dg_range){ 0, dg->pipe ? 16 : 104 });
}

static bool
flip_attrs(struct dg *dg)
{
	return flip(dg, dg->pipe ? PICK(dg, dg->description) : dg->attrs);
}

static bool
flip_ids(struct dg *dg)
{
	return flip(dg, PICK(dg, dg->ids));
}

static bool
flip_data(struct dg *dg)
{
	return flip(dg, dg->data);
}

static bool
flip_features(struct dg *dg)
{
	return flip(dg, PICK(dg, dg->sections));
}

static bool
flip_any(struct dg *dg)
{
	return flip(dg, whole(dg));
}

/* ---------------------------------------------------------------- pages */

static bool
zero_page(struct dg *dg)
{
	return fill(dg, whole(dg), false);
}

static bool
noise_page(struct dg *dg)
{
	return fill(dg, whole(dg), true);
}

static bool
zero_data(struct dg *dg)
{
	return fill(dg, dg->data, false);
}

static bool
noise_data(struct dg *dg)
{
	return fill(dg, dg->data, true);
}

/* --------------------------------------------------------------- fields */

static bool
zero_field(struct dg *dg)
{
	put(dg, 8 * dg_below(dg, dg->pipe ? 2 : 13), 8, 0);
	return true;
}

static bool
odd_field(struct dg *dg)
{
	uint64_t at = 8 + 8 * dg_below(dg, dg->pipe ? 1 : 12);

	put(dg, at, 8, odd_value(dg));
	return true;
}

/* A section descriptor that points out of the file. */
static bool
bad_offset(struct dg *dg)
{
	uint64_t entries = dg->features.len / 8, at;

	if (dg->pipe)
		return false;
	if (entries != 0 && dg_below(dg, 2) == 0) {
		at = dg->features.at + 8 * dg_below(dg, entries);
	} else if (dg_below(dg, 2) == 0) {
		uint64_t entry = dg_u64(dg, 16);

		at = dg->attrs.at + entry - 16 + 8 * dg_below(dg, 2) +
		     entry * dg_below(dg, dg->events.len);
	} else {
		at = 24 + 8 * dg_below(dg, 6);
	}
	put(dg, at, 8, dg->good.len + odd_value(dg));
	return true;
}

static bool
attr_field(struct dg *dg)
{
	struct dg_range r = dg->attrs;
	unsigned width = dg_below(dg, 2) == 0 ? 4 : 8;

	if (dg->pipe)
		r = dg->description.data[CP_MIN(1, dg->description.len - 1)];
	put(dg, r.at + width * dg_below(dg, r.len / width), width,
	    odd_value(dg));
	return true;
}

/* -------------------------------------------------------------- records */

static bool
record_size(struct dg *dg)
{
	uint64_t n = 1 + dg_below(dg, 8);

	if (dg->records.len == 0)
		return false;
	while (n-- != 0) {
		const struct dg_record *r =
		    &dg->records.data[dg_below(dg, dg->records.len)];
		static const int delta[] = { -8, 8, -1, 1, 64 };
		uint64_t v = odd_value(dg);

		if (dg_below(dg, 2) == 0)
			v = r->len + (uint64_t)(int64_t)delta[dg_below(dg, 5)];
		put(dg, r->at + 6, 2, v);
	}
	return true;
}

static bool
record_type(struct dg *dg)
{
	uint64_t n = 1 + dg_below(dg, 8);

	if (dg->records.len == 0)
		return false;
	while (n-- != 0) {
		uint64_t at =
		    dg->records.data[dg_below(dg, dg->records.len)].at;

		put(dg, at, 4,
		    dg_below(dg, 2) == 0 ? dg_below(dg, 90) : odd_value(dg));
	}
	return true;
}

/* Seed by seed every word of a sample. */
static bool
sample_field(struct dg *dg)
{
	const struct dg_sample *s;
	uint64_t words, word;

	if (dg->samples.len == 0)
		return false;
	s = &dg->samples.data[dg_below(dg, dg->samples.len)];
	words = s->len / 8;
	if (s->chunk >= 0 || words < 2)
		return false;
	word = 1 + dg->seed % (words - 1);
	if (dg_below(dg, 4) == 0)
		put(dg, s->at + 8 * word, 4, odd_value(dg));
	else
		put(dg, s->at + 8 * word, 8, odd_value(dg));
	return true;
}

static bool
spoil(struct dg *dg, struct dg_range r)
{
	uint64_t n = 1 + dg_below(dg, 4);

	if (r.len < 8)
		return false;
	while (n-- != 0) {
		unsigned width = dg_below(dg, 2) == 0 ? 4 : 8;
		/* Counts and lengths stand at the start. */
		uint64_t span =
		    dg_below(dg, 2) == 0 ? CP_MIN(r.len, 64) : r.len;

		put(dg, r.at + width * dg_below(dg, span / width), width,
		    odd_value(dg));
	}
	return true;
}

static bool
feature(struct dg *dg)
{
	return spoil(dg, PICK(dg, dg->sections));
}

static bool
tracing(struct dg *dg)
{
	struct dg_range r = PICK(dg, dg->tracing);

	return dg_below(dg, 2) == 0 ? spoil(dg, r) : flip(dg, r);
}

static bool
pipe_record(struct dg *dg)
{
	if (!dg->pipe)
		return false;
	for (unsigned tries = 0; tries < 1000; tries++) {
		const struct dg_record *r =
		    &dg->records.data[dg_below(dg, dg->records.len)];

		if (r->type >= 64)
			return spoil(dg, (struct dg_range){ r->at, r->len });
	}
	return false;
}

/* ----------------------------------------------------------------- zstd */

static bool
zstd_frame(struct dg *dg)
{
	struct dg_range r = PICK(dg, dg->chunks);

	if (r.len <= 16)
		return false;
	r.at += 8;
	r.len -= 8;
	return flip(dg, r);
}

/* A few kilobytes that inflate to `n` zeros. */
static void
bomb(struct cp_buf *b, uint64_t n)
{
	static const char zeros[1 << 16];
	ZSTD_CCtx *z = ZSTD_createCCtx();
	char room[4096];
	size_t left = 1;

	while (left != 0) {
		ZSTD_inBuffer in = { zeros, CP_MIN(n, sizeof(zeros)), 0 };

		n -= in.size;
		do {
			ZSTD_outBuffer out = { room, sizeof(room), 0 };

			left = ZSTD_compressStream2(z, &out, &in,
			    n == 0 ? ZSTD_e_end : ZSTD_e_continue);
			cp_buf_add(b, room, out.pos);
		} while (in.pos < in.size || (n == 0 && left != 0));
		left = n;
	}
	ZSTD_freeCCtx(z);
}

/* The bomb takes the place of the first compressed record, or of any one. */
static bool
zstd_bomb(struct dg *dg)
{
	uint64_t at, after;
	struct cp_buf b, out;

	if (dg->records.len == 0)
		return false;
	at = after = dg->records.data[dg_below(dg, dg->records.len)].at;
	if (dg->chunks.len != 0) {
		at = dg->chunks.data[0].at;
		after = at + dg->chunks.data[0].len;
	}
	cp_buf_init(&b, 60000);
	bomb(&b, UINT64_C(1) << (26 + dg_below(dg, 4)));
	cp_buf_init(&out, DG_MAX_FILE);
	cp_buf_add(&out, dg->good.data, at);
	cp_buf_add(&out, "\0\0\0\0\0\0\0", 8);
	cp_buf_add(&out, b.data, b.len);
	cp_buf_add(&out, dg->good.data + after, dg->good.len - after);
	cp_buf_free(&dg->bad);
	dg->bad = out;
	put(dg, at, 4, 81);
	put(dg, at + 6, 2, 8 + b.len);
	if (!dg->pipe)
		put(dg, 48, 8, dg->data.len + 8 + b.len - (after - at));
	cp_buf_free(&b);
	return true;
}

/* --------------------------------------------------------------- choice */

static const struct {
	const char *name;
	bool (*run)(struct dg *);
} kinds[] = {
	{ "cut-page", cut_page },
	{ "cut-any", cut_any },
	{ "killed", killed },
	{ "flip-header", flip_header },
	{ "flip-attrs", flip_attrs },
	{ "flip-ids", flip_ids },
	{ "flip-data", flip_data },
	{ "flip-features", flip_features },
	{ "flip-any", flip_any },
	{ "zero-page", zero_page },
	{ "noise-page", noise_page },
	{ "zero-data", zero_data },
	{ "noise-data", noise_data },
	{ "zero-field", zero_field },
	{ "odd-field", odd_field },
	{ "bad-offset", bad_offset },
	{ "attr-field", attr_field },
	{ "record-size", record_size },
	{ "record-type", record_type },
	{ "sample-field", sample_field },
	{ "feature", feature },
	{ "tracing", tracing },
	{ "pipe-record", pipe_record },
	{ "zstd-frame", zstd_frame },
	{ "zstd-bomb", zstd_bomb },
	{ "gap", dg_gap },
	{ "extra", dg_extra },
	{ "dup", dg_dup },
	{ "head", dg_head },
};

void
dg_kinds(void)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(kinds); i++)
		puts(kinds[i].name);
}

bool
dg_damage(struct dg *dg, const char *kind)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return kinds[i].run(dg);
	return false;
}
