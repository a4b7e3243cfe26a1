/* SPDX-License-Identifier: MIT */
/*
 * trial: decodes the first records by both copies of the event descriptions.
 *
 * One turned bit in an attr makes no sample fit any more.  Which of two copies
 * is damaged cannot be seen in them, but in the records: they fill exactly the
 * size that they claim if their description is right.
 */
#include "readers/record/trial.h"

#include <zstd.h>

#include "readers/header/copies.h"
#include "readers/record/decode.h"

enum {
	CHUNK = 128 << 10, /* more than a record */
	ENOUGH = 1000,     /* samples that fit one copy only */
	FAR = 64 << 20,    /* bytes to look at */
};

struct trial {
	const struct cp_evsels *copy[2];
	unsigned agree[2]; /* records that have the size that a copy tells */
	unsigned samples;  /* that have it by one copy only */
	bool swap, inner, over;
};

static void
ask(struct trial *t, const uint8_t *p, const struct cp_record_head *h)
{
	bool fits[2];

	for (int i = 0; i < 2; i++) {
		struct cp_event ev;

		fits[i] = cp_decode(t->copy[i], p, h, t->swap, &ev) ==
			      CP_DECODED_EXACT &&
			  (h->type != CP_RECORD_SAMPLE || ev.evsel != CP_NO_ID);
		t->agree[i] += fits[i];
	}
	t->samples += h->type == CP_RECORD_SAMPLE && fits[0] != fits[1];
}

static void inflate(struct trial *, const uint8_t *, size_t);

/* Bytes that follow a record of this type. */
static uint64_t
behind(const struct trial *t, const uint8_t *p, const struct cp_record_head *h)
{
	struct cp_event ev = {
		.type = h->type, .size = h->size, .bytes = p, .swap = t->swap
	};

	return CP_MIN(cp_extra_size(&ev), (uint64_t)FAR);
}

/* Goes through whole records; returns how many bytes they and gaps have. */
static uint64_t
walk(struct trial *t, const uint8_t *p, size_t n)
{
	uint64_t at = 0;

	while (!t->over && at < n && n - at >= CP_HEAD_SIZE) {
		struct cp_record_head h = cp_head_read(p + at, t->swap);
		bool known, small = h.type == CP_RECORD_COMPRESSED;

		t->over = !cp_head_plausible(&h, &known);
		if (t->over || h.size > n - at)
			break;
		if (small || h.type == CP_RECORD_COMPRESSED2)
			inflate(t, p + at + (small ? 8 : 16),
			    h.size - CP_MIN(h.size, small ? 8u : 16u));
		else
			ask(t, p + at, &h);
		t->over |= t->samples >= ENOUGH;
		at += h.size + behind(t, p + at, &h);
	}
	return at;
}

/* The first compressed record is enough: the next ones need it. */
static void
inflate(struct trial *t, const uint8_t *p, size_t n)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(CHUNK);
	ZSTD_outBuffer out = { .dst = buf, .size = CHUNK };
	ZSTD_inBuffer in = { .src = p, .size = n };
	ZSTD_DCtx *z = t->inner ? NULL : ZSTD_createDCtx();

	t->inner = true;
	if (z != NULL && !ZSTD_isError(ZSTD_decompressStream(z, &out, &in)))
		walk(t, buf, out.pos);
	ZSTD_freeDCtx(z);
	t->over = true;
}

static void
walk_input(struct trial *t, struct cp_input *in, uint64_t from, uint64_t end)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(CHUNK);
	uint64_t at = from;

	end = CP_MIN(end, from + FAR);
	while (!t->over && at < end) {
		ssize_t n = cp_input_read(
		    in, buf, CP_MIN(end - at, (uint64_t)CHUNK), at);
		uint64_t used = n > 0 ? walk(t, buf, (size_t)n) : 0;

		if (used == 0)
			return;
		at += used;
	}
}

/*
 * Is the copy better than the events?  It is if records say so, or if they do
 * not care and it has more events: a single one would get all samples.  It has
 * no fewer, because records that were read name events by their numbers.
 */
static bool
better(struct cp_recording *rec, struct cp_input *in, uint64_t from,
    uint64_t end, const struct cp_evsels *copy)
{
	struct trial t = { .copy = { &rec->evsels, copy }, .swap = rec->swap };

	if (cp_copy_alike(&rec->evsels, copy) || copy->all.len == 0 ||
	    copy->all.len < rec->evsels.all.len)
		return false;
	if (rec->evsels.all.len == 0)
		return true;
	if (in->seekable)
		walk_input(&t, in, from, end);
	return t.agree[1] > t.agree[0] ||
	       (t.agree[1] == t.agree[0] &&
		   copy->all.len > rec->evsels.all.len);
}

int
cp_trial(struct cp_recording *rec, struct cp_input *in, uint64_t from,
    uint64_t end, struct cp_diags *diags, uint64_t offset)
{
	struct cp_evsels copy = { 0 };
	struct cp_diags quiet;

	cp_diags_init(&quiet);
	cp_copy_make(&rec->info, &copy, &quiet);
	if (better(rec, in, from, end, &copy)) {
		struct cp_evsels damaged = rec->evsels;

		cp_diag_at(diags, CP_D_BAD_ATTR, offset,
		    "the second description of events is right");
		rec->evsels = copy;
		copy = damaged;
		memset(&rec->linked, 0, sizeof(rec->linked));
	} else {
		cp_copy_ids(rec, &copy, diags, offset);
	}
	cp_evsels_free(&copy);
	return rec->evsels.all.len != 0 ? CP_OK : CP_FAIL;
}
