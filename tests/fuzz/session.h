/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/session.h: a capture read as run/run.c reads it, without names.
 *
 * Every event passes reader, order and session; what comes out is touched, so
 * that a sanitizer sees what an analysis would.
 */
#ifndef CP_TESTS_FUZZ_SESSION_H
#define CP_TESTS_FUZZ_SESSION_H

#include "model/session.h"
#include "readers/list.h"
#include "readers/reader.h"

struct fuzz_session {
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_diags diags;
	struct cp_session session;
	struct cp_order order;
	struct cp_capture capture;
	uint64_t sum; /* keeps the reads */
};

/* What must hold whatever the input was. */
#define FUZZ_ASSERT(x)                                                         \
	do {                                                                   \
		if (!(x)) {                                                    \
			fprintf(                                               \
			    stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);    \
			abort();                                               \
		}                                                              \
	} while (0)

static inline uint64_t
fuzz_touch(const uint8_t *p, uint64_t n)
{
	return p != NULL && n != 0 ? (uint64_t)p[0] + p[n - 1] : 0;
}

static inline void
fuzz_touch_payload(struct fuzz_session *f, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	f->sum += fuzz_touch(s->raw, s->raw_size);
	f->sum += fuzz_touch(s->read, s->read_size);
	f->sum += fuzz_touch(s->branch, s->branch_nr * 24);
	f->sum += fuzz_touch(s->user_stack, s->user_stack_size);
	if (s->user_regs != NULL)
		f->sum += fuzz_touch(s->user_regs,
		    8 * (uint64_t)__builtin_popcountll(s->user_mask));
	if (s->intr_regs != NULL)
		f->sum += fuzz_touch(s->intr_regs,
		    8 * (uint64_t)__builtin_popcountll(s->intr_mask));
}

static inline int
fuzz_ready(void *ctx, const struct cp_queued *q)
{
	struct fuzz_session *f = ctx;
	struct cp_sample s;
	uint32_t cursor = 0;

	if (q->type16 == CP_RECORD_SAMPLE && q->event != NULL)
		fuzz_touch_payload(f, q->event);
	while (cp_session_apply(&f->session, q, &cursor, &s)) {
		FUZZ_ASSERT(s.evsel < f->rec.evsels.all.len);
		FUZZ_ASSERT(s.stack < f->session.stacks.nodes.len);
		f->sum += strlen(cp_strings_get(&f->session.strings, s.comm));
		f->sum += fuzz_touch(s.raw, s.raw_size);
	}
	return CP_OK;
}

static inline int
fuzz_sink(void *ctx, const struct cp_queued *q)
{
	struct fuzz_session *f = ctx;

	if (q->deferred)
		return cp_session_defer(&f->session, q, fuzz_ready, f);
	if (q->type16 == CP_RECORD_CALLCHAIN_DEFERRED)
		return cp_session_undefer(&f->session, q->event, fuzz_ready, f);
	return fuzz_ready(f, q);
}

/* Every stack hangs on one that was there before, every frame exists. */
static inline void
fuzz_check_stacks(const struct fuzz_session *f)
{
	const struct cp_session *s = &f->session;

	for (size_t i = 1; i < s->stacks.nodes.len; i++) {
		FUZZ_ASSERT(s->stacks.nodes.data[i].parent < i);
		FUZZ_ASSERT(
		    s->stacks.nodes.data[i].frame < s->stacks.frames.len);
	}
	for (size_t i = 1; i < s->stacks.frames.len; i++)
		FUZZ_ASSERT(s->stacks.frames.data[i].dso <= s->dsos.all.len);
}

/* Reads path; true: it could be opened and was read to the end. */
static inline bool
fuzz_session_read(struct fuzz_session *f, const char *path)
{
	struct cp_event ev;
	bool opened;

	memset(f, 0, sizeof(*f));
	cp_diags_init(&f->diags);
	cp_info_init(&f->rec.info);
	cp_session_init(&f->session, &f->rec, &f->quality, &f->diags);
	cp_order_init(&f->order, &f->rec.evsels, &f->session.chains,
	    &f->quality, &f->diags, fuzz_sink, f);
	f->order.want_payload = true;
	opened = cp_capture_open(&f->capture, path, false, &f->rec, &f->quality,
		     &f->diags) == CP_OK;
	FUZZ_ASSERT(opened || cp_diags_worst(&f->diags) == CP_DIAG_ERROR);
	while (opened && cp_capture_next(&f->capture, &ev))
		if (cp_order_push(&f->order, &ev) != CP_OK)
			break;
	if (opened && cp_order_end(&f->order) == CP_OK) {
		/* The end stays the end, and the account does not change. */
		uint64_t parsed = f->quality.bytes_parsed;

		FUZZ_ASSERT(!cp_capture_next(&f->capture, &ev));
		FUZZ_ASSERT(parsed == f->quality.bytes_parsed);
		FUZZ_ASSERT(f->order.held.bytes == 0);
		FUZZ_ASSERT(cp_session_undefer_all(
				&f->session, fuzz_ready, f) == CP_OK);
		fuzz_check_stacks(f);
	}
	return opened;
}

/* Whatever could not be used was said, to the byte. */
static inline void
fuzz_check_account(const struct fuzz_session *f, uint64_t size)
{
	const struct cp_quality *q = &f->quality;

	/* Of a bundle the capture in it counts. */
	if (f->rec.container != NULL && strcmp(f->rec.container, "bundle") == 0)
		size = q->bytes_total;
	FUZZ_ASSERT(q->bytes_total == size);
	FUZZ_ASSERT(q->bytes_parsed + q->bytes_skipped == size);
}

static inline void
fuzz_session_free(struct fuzz_session *f)
{
	cp_capture_close(&f->capture);
	cp_order_free(&f->order);
	cp_session_free(&f->session);
	cp_recording_free(&f->rec);
}

#endif
