/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/rewrite.h"

#include "base/limits.h"
#include "base/temp-file.h"
#include "readers/header/features.h"
#include "readers/header/magic.h"
#include "readers/header/section.h"
#include "readers/record/decode.h"
#include "readers/rewrite/feature.h"
#include "readers/rewrite/writer.h"

enum { RECORD_MAX = UINT16_MAX / 8 * 8 };

/* --------------------------------------------------------------- records */

static void
put_attr(struct cp_rewriter *w, const struct cp_event *ev)
{
	uint8_t copy[CP_MAX_RECORD];

	memcpy(copy, ev->bytes, ev->size);
	cp_rewrite_attr(w, copy + CP_HEAD_SIZE, ev->size - CP_HEAD_SIZE);
	cp_rewrite_put(w, copy, ev->size);
}

/* Writes a feature of a pipe. */
static void
put_feature(struct cp_rewriter *w, const struct cp_event *ev)
{
	uint8_t copy[CP_MAX_RECORD];
	size_t n = CP_HEAD_SIZE + 8;

	memcpy(copy, ev->bytes, ev->size);
	if (cp_load64(copy + CP_HEAD_SIZE, w->swap) == CP_FEATURE_EVENT_DESC)
		cp_rewrite_events(w, copy + n, ev->size - n);
	cp_rewrite_put(w, copy, ev->size);
}

/*
 * Copies a record and the `behind` bytes after it, which are not part of the
 * event.
 */
static void
put_with(struct cp_rewriter *w, const struct cp_event *ev, uint64_t behind)
{
	uint8_t p[16];
	uint64_t n = ev->size + behind;

	/*
	 * Is the record at its offset in the file, and not in a compressed
	 * record?
	 */
	w->failed |= ev->source != 0 || ev->size < sizeof(p) ||
		     cp_input_read(&w->src->in, p, sizeof(p), ev->offset) !=
			 (ssize_t)sizeof(p) ||
		     memcmp(p, ev->bytes, sizeof(p)) != 0;
	cp_rewrite_flush(w);
	if (ev->type == CP_RECORD_AUXTRACE)
		*cp_vec_push(&w->aux) =
		    (struct cp_rewrite_moved){ ev->offset, w->at };
	cp_rewrite_copy(w, ev->offset, n, w->at);
	w->at += n;
}

static void
put_words(struct cp_rewriter *w, const uint64_t *words, size_t n)
{
	uint8_t p[8];

	for (size_t i = 0; i < n; i++) {
		cp_rewrite_store64(p, words[i], w->swap);
		cp_rewrite_put(w, p, sizeof(p));
	}
}

/* Bytes of empty registers (no ABI) and an empty stack (no size). */
static size_t
empty_size(const struct cp_rewriter *w, uint64_t st)
{
	return w->fields
		   ? (size_t)__builtin_popcountll(st & CP_REWRITE_USER_DATA) * 8
		   : 0;
}

/*
 * Writes the start of the sample, its chain, the fields between chain and user
 * data, and the fields after them.
 */
static void
put_parts(struct cp_rewriter *w, const struct cp_event *ev, uint64_t st,
    const struct cp_sample_places *at, const uint64_t *chain, size_t n)
{
	static const uint8_t none[16];
	size_t between = at->user - at->behind_chain;
	size_t behind = ev->size - at->behind_user, empty = empty_size(w, st);
	uint16_t size =
	    (uint16_t)(at->chain + n * 8 + between + empty + behind);

	size = w->swap ? __builtin_bswap16(size) : size;
	cp_rewrite_put(w, ev->bytes, 6);
	cp_rewrite_put(w, &size, 2);
	cp_rewrite_put(w, ev->bytes + CP_HEAD_SIZE, at->chain - CP_HEAD_SIZE);
	put_words(w, chain, n);
	cp_rewrite_put(w, ev->bytes + at->behind_chain, between);
	cp_rewrite_put(w, none, empty);
	cp_rewrite_put(w, ev->bytes + at->behind_user, behind);
}

static void
put_stripped(struct cp_rewriter *w, const struct cp_event *ev, uint64_t st)
{
	const struct cp_evsel_info *e = w->src->rec->evsels.all.data[ev->evsel];
	uint64_t words[RECORD_MAX / 8] = { 0 };
	struct cp_sample_places at;
	size_t rest, n = 0;

	cp_sample_places(e, ev, &at);
	rest = at.chain + 8 + at.user - at.behind_chain + ev->size -
	       at.behind_user + empty_size(w, st);
	if ((st & (CP_SAMPLE_STACK_USER | CP_SAMPLE_CALLCHAIN)) &&
	    rest < RECORD_MAX)
		n = w->r->chain(
		    w->r->ctx, ev, words + 1, (RECORD_MAX - rest) / 8);
	words[0] = n++;
	if (n == 1 && (st & CP_SAMPLE_CALLCHAIN)) {
		n = (at.behind_chain - at.chain) / 8;
		for (size_t i = 0; i < n; i++)
			words[i] =
			    cp_load64(ev->bytes + at.chain + 8 * i, w->swap);
	} else if ((st & (CP_SAMPLE_STACK_USER | CP_SAMPLE_CALLCHAIN)) == 0) {
		n = 0; /* it had no chain and gets none */
	}
	put_parts(w, ev, st, &at, words, n);
}

static bool
any_user_data(const struct cp_recording *rec)
{
	uint64_t st = 0;

	for (size_t i = 0; i < rec->evsels.all.len; i++)
		st |= rec->evsels.all.data[i]->attr.sample_type;
	return (st & CP_REWRITE_USER_DATA) != 0;
}

static void
put_sample(struct cp_rewriter *w, const struct cp_event *ev)
{
	const struct cp_recording *rec = w->src->rec;
	uint64_t st;

	if (ev->evsel == CP_NO_ID && any_user_data(rec)) {
		w->r->dropped++;
		return;
	}
	st = ev->evsel != CP_NO_ID
		 ? rec->evsels.all.data[ev->evsel]->attr.sample_type
		 : 0;
	if (st & CP_REWRITE_USER_DATA)
		put_stripped(w, ev, st);
	else
		cp_rewrite_put(w, ev->bytes, ev->size);
}

static void
put_record(struct cp_rewriter *w, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_SAMPLE: put_sample(w, ev); break;
	case CP_RECORD_HEADER_ATTR: put_attr(w, ev); break;
	case CP_RECORD_HEADER_FEATURE: put_feature(w, ev); break;
	case CP_RECORD_TRACING_DATA:
		put_with(w, ev,
		    cp_tracing_inside(ev)
			? 0
			: cp_align8(cp_load32(ev->bytes + 8, w->swap)));
		break;
	case CP_RECORD_AUXTRACE:
		put_with(w, ev, cp_load64(ev->bytes + 8, w->swap));
		break;
	default: cp_rewrite_put(w, ev->bytes, ev->size); break;
	}
}

/*
 * Writes the records.  Events that the reader of directories made itself have
 * no bytes.
 */
static bool
put_records(struct cp_rewriter *all, size_t n, struct cp_capture *src)
{
	bool failed = false;
	struct cp_event ev;

	while (!failed && cp_capture_next(src, &ev)) {
		if (ev.bytes == NULL || ev.source >= n)
			continue;
		put_record(&all[ev.source], &ev);
		failed = all[ev.source].failed;
	}
	for (size_t i = 0; i < n; i++) {
		cp_rewrite_flush(&all[i]);
		failed |= all[i].failed;
	}
	return !failed;
}

/* Starts a file; only the first one has a header before its records. */
static void
writer_start(struct cp_rewriter *w, struct cp_rewrite *r,
    struct cp_capture *src, bool first)
{
	*w = (struct cp_rewriter){ .r = r,
		.src = src,
		.swap = src->rec->swap,
		.fields = r->fields,
		.fd = cp_temp_file() };
	w->failed = w->fd < 0;
	if (w->fd >= 0)
		*cp_vec_push(&r->files) = w->fd;
	cp_rewrite_buffer(w);
	if (first && src->header != NULL)
		w->at = src->header->data.offset;
	else if (first)
		cp_rewrite_put(w, src->in.head, CP_PIPE_HEAD);
}

const char *
cp_rewrite(struct cp_rewrite *r, struct cp_capture *src)
{
	size_t n = src->claimed.len, files = src->parts.len + 1;
	struct cp_rewriter *all;
	struct cp_file_span *claimed;
	const char *why = NULL;

	if (!src->in.seekable)
		return "it can be read only once: save it to a file";
	all = cp_xcalloc(files, sizeof(*all));
	claimed = cp_xcalloc(n + 1, sizeof(*claimed));
	if (n != 0)
		memcpy(claimed, src->claimed.data, n * sizeof(*claimed));
	for (size_t i = 0; i < files; i++)
		writer_start(&all[i], r, src, i == 0);
	if (!put_records(all, files, src))
		why = "reading or writing failed";
	else if (src->header != NULL && !cp_rewrite_around(all, claimed, n))
		why = "its parts lie in each other";
	for (size_t i = 0; i < files; i++) {
		cp_buf_free(&all[i].buf);
		cp_vec_free(&all[i].aux);
	}
	free(all);
	free(claimed);
	return why;
}
