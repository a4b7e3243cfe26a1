/* SPDX-License-Identifier: MIT */
/*
 * trial: decodes the first records by both copies of the event descriptions.
 *
 * One turned bit in an attr makes no sample fit any more.  Which of two copies
 * is damaged cannot be seen in them, but in the records: they fill exactly the
 * size that they claim if their description is right.
 */
#include "readers/record/stream.h"

#include <zstd.h>

#include "readers/header/copies.h"
#include "readers/record/decode.h"
#include "readers/rules.h"

enum {
	CHUNK = 128 << 10, /* more than a record */
	ENOUGH = 1000,     /* samples that fit one copy only */
	FAR = 64 << 20,    /* bytes of records to look at, inflated ones, too */
};

struct trial {
	const struct cp_evsels *copy[2];
	unsigned agree[2]; /* records that have the size that a copy tells */
	unsigned samples;  /* that have it by one copy only */
	uint64_t left;     /* bytes that may still be looked at */
	bool swap;
	bool over;         /* nothing more is found in this window */
	bool inside;       /* of a compressed record */
	ZSTD_DCtx *zstd;   /* NULL: nothing has been inflated */
	uint8_t *inflated; /* CHUNK bytes */
	size_t rest;       /* the first ones, in which a record starts */
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

static void inflate(
    struct trial *, const uint8_t *, const struct cp_record_head *);

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
		bool known;

		t->over = !cp_head_plausible(&h, &known) || h.size > t->left;
		if (t->over || h.size > n - at)
			break;
		t->left -= h.size;
		if (h.type == CP_RECORD_COMPRESSED ||
		    h.type == CP_RECORD_COMPRESSED2)
			inflate(t, p + at, &h);
		else
			ask(t, p + at, &h);
		t->over |= t->samples >= ENOUGH;
		at += h.size + behind(t, p + at, &h);
	}
	return at;
}

/* The compressed bytes of a record. */
static ZSTD_inBuffer
compressed(
    const struct trial *t, const uint8_t *p, const struct cp_record_head *h)
{
	const bool padded = h->type == CP_RECORD_COMPRESSED2;
	const size_t head = padded ? 16 : CP_HEAD_SIZE;
	ZSTD_inBuffer in = { .src = p + head };

	if (h->size < head)
		return in;
	in.size = h->size - head;
	if (padded)
		in.size = CP_MIN(cp_load64(p + 8, t->swap), in.size);
	return in;
}

/* Makes room for what is inflated; false if it is not possible. */
static bool
can_inflate(struct trial *t)
{
	if (t->zstd == NULL)
		t->zstd = ZSTD_createDCtx();
	if (t->inflated == NULL)
		t->inflated = cp_xmalloc(CHUNK);
	return t->zstd != NULL && !t->inside;
}

/* Goes through the records in a compressed one. */
static void
inflate(struct trial *t, const uint8_t *p, const struct cp_record_head *h)
{
	ZSTD_inBuffer in = compressed(t, p, h);
	ZSTD_outBuffer out = { .size = CHUNK };

	t->over = !can_inflate(t);
	t->inside = true;
	while (!t->over && (in.pos < in.size || out.pos == out.size)) {
		size_t used;

		out = (ZSTD_outBuffer){ t->inflated, CHUNK, t->rest };
		t->over =
		    ZSTD_isError(ZSTD_decompressStream(t->zstd, &out, &in));
		used = (size_t)CP_MIN(walk(t, t->inflated, out.pos), out.pos);
		t->rest = out.pos - used;
		memmove(t->inflated, t->inflated + used, t->rest);
	}
	t->inside = false;
}

static void
walk_file(struct trial *t, const struct cp_window *w)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(CHUNK);
	uint64_t at = w->offset, end = CP_MIN(w->limit, at + FAR);

	while (!t->over && at < end) {
		ssize_t n = cp_input_read(
		    w->in, buf, CP_MIN(end - at, (uint64_t)CHUNK), at);
		uint64_t used = n > 0 ? walk(t, buf, (size_t)n) : 0;

		if (used == 0)
			return;
		at += used;
	}
}

/* Each window starts a stream of records.  A pipe shows only its next ones. */
static void
walk_window(struct trial *t, struct cp_window *w)
{
	size_t n = w->in->seekable ? 0 : cp_window_have(w, CP_WINDOW_MAX);

	t->over = t->samples >= ENOUGH;
	t->rest = 0;
	if (t->zstd != NULL)
		ZSTD_DCtx_reset(t->zstd, ZSTD_reset_session_only);
	if (w->in->seekable)
		walk_file(t, w);
	else
		walk(t, w->at, n);
}

enum verdict { EVENTS, COPY, UNDECIDED };

/*
 * Which is right?  If records do not care, it is the copy if it has more
 * events: a single one would get all samples.  A copy with fewer never is,
 * because records that were read name events by their numbers.
 */
static enum verdict
judge(struct cp_recording *rec, struct cp_window *const *w, size_t n,
    const struct cp_evsels *copy)
{
	struct trial t = {
		.copy = { &rec->evsels, copy }, .left = FAR, .swap = rec->swap
	};

	if (copy->all.len == 0 || copy->all.len < rec->evsels.all.len)
		return EVENTS;
	if (rec->evsels.all.len == 0)
		return COPY;
	for (size_t i = 0; i < n; i++)
		walk_window(&t, w[i]);
	ZSTD_freeDCtx(t.zstd);
	free(t.inflated);
	if (t.agree[1] != t.agree[0])
		return t.agree[1] > t.agree[0] ? COPY : EVENTS;
	return copy->all.len > rec->evsels.all.len ? COPY : UNDECIDED;
}

static void
replace(struct cp_recording *rec, struct cp_evsels *copy)
{
	struct cp_evsels damaged = rec->evsels;

	rec->evsels = *copy;
	*copy = damaged;
	memset(&rec->linked, 0, sizeof(rec->linked));
}

/* Uses what is right in the copy, which is another than the events. */
static void
settle(struct cp_recording *rec, struct cp_window *const *w, size_t n,
    struct cp_evsels *copy, bool last, struct cp_diags *diags, uint64_t offset)
{
	enum verdict v = UNDECIDED;

	if (!cp_copy_alike(&rec->evsels, copy))
		v = judge(rec, w, n, copy);
	if (v == COPY) {
		cp_found(diags, CP_R_ATTR_COPIES, offset,
		    "the second description of events is right");
		replace(rec, copy);
		return;
	}
	if (cp_copy_ids(rec, copy, diags, offset) == 0 && last)
		cp_found(diags, CP_R_ATTR_COPIES, offset,
		    "the second description of events is another");
	if (v == EVENTS)
		cp_copy_unname(rec);
}

void
cp_trial(struct cp_recording *rec, struct cp_window *const *w, size_t n,
    bool last, struct cp_diags *diags, uint64_t offset)
{
	struct cp_evsels copy = { 0 };
	struct cp_diags quiet;

	cp_diags_init(&quiet);
	cp_copy_make(&rec->info, &copy, &quiet);
	if (rec->info.events.len != 0 &&
	    !(cp_copy_alike(&rec->evsels, &copy) &&
		cp_copy_same_ids(&rec->evsels, &copy)))
		settle(rec, w, n, &copy, last, diags, offset);
	cp_evsels_free(&copy);
}
