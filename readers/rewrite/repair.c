/* SPDX-License-Identifier: MIT */
#include "readers/rewrite/repair.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/temp-file.h"
#include "readers/header/features.h"
#include "readers/header/magic.h"
#include "readers/header/section.h"
#include "readers/record-head.h"
#include "readers/rewrite/repaired.h"
#include "readers/rewrite/writer.h"

/* Of the features from 128 on: FILE, META_INFO, DEBUG_UNWIND ... */
#define SIMPLEPERF UINT64_C(63)
#define MAGIC UINT64_C(0x32454c4946524550) /* PERFILE2 */
#define NO_RECORD "no record can be read"

enum { MOST_AGAIN = 4 }; /* files written after the first */

static uint64_t
place(const struct cp_rewriter *w)
{
	return w->at + w->buf.len;
}

/* --------------------------------------------------------------- records */

/*
 * The size in a damaged header may be wrong: the event's is the true one.
 * Bytes between the content and the trailer are left out.  A record without
 * room for a trailer gets an empty one.  An id of no event becomes 0, which
 * perf and the reader take for the first event's.
 */
static void
put_whole(struct cp_rewriter *w, const struct cp_event *ev)
{
	static const uint8_t zeros[CP_REPAIR_TRAILER + 8];
	const struct cp_evsels *e = &w->src->rec->evsels;
	uint32_t size = ev->size - ev->slack;
	uint32_t lacking = cp_repair_trailer_lacking(e, ev);
	bool other =
	    ev->slack != 0 || lacking != 0 || cp_repair_ends_in_text(ev);
	uint32_t last = other ? cp_repair_trailer(e, ev) : 0;
	uint32_t more = (other ? -size & 7 : 0) + lacking;

	cp_rewrite_head(w, ev, size + more);
	cp_rewrite_put(w, ev->bytes + CP_HEAD_SIZE, size - CP_HEAD_SIZE - last);
	cp_rewrite_put(w, zeros, more);
	cp_rewrite_put(w, ev->bytes + ev->size - last, last);
	if (cp_repair_foreign(e, ev))
		memset(w->buf.data + w->buf.len - 8 * (size_t)e->trailer_id_at,
		    0, 8);
}

static void
put_auxtrace(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	uint64_t n = cp_extra_size(ev);

	/* perf stops at AUX data without a description (simpleperf's). */
	if (!r->aux || !ev->outer || ev->source != 0 ||
	    (w->src->rec->info.seen[2] & SIMPLEPERF) != 0) {
		r->formless++;
		return;
	}
	put_whole(w, ev);
	cp_rewrite_flush(w);
	cp_rewrite_copy(w, ev->offset + ev->size, n, w->at);
	w->at += n;
	r->records++;
}

static void
take_tracing(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	uint32_t n = cp_load32(ev->bytes + CP_HEAD_SIZE, w->swap);
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;

	if (cp_tracing_inside(ev)) {
		cp_repair_feature(r, CP_FEATURE_TRACING_DATA,
		    ev->bytes + CP_HEAD_SIZE + 4, n, w->swap);
		return;
	}
	if (n > CP_MAX_TRACING)
		return;
	p = cp_xmalloc((size_t)n + 1);
	if (cp_input_read(&w->src->in, p, n, ev->offset + ev->size) ==
	    (ssize_t)n)
		cp_repair_feature(r, CP_FEATURE_TRACING_DATA, p, n, w->swap);
}

static void
take_feature(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	const size_t head = CP_HEAD_SIZE + 8;
	uint64_t bit;

	if (ev->size <= head) /* the mark of their end */
		return;
	bit = cp_load64(ev->bytes + CP_HEAD_SIZE, w->swap);
	if (bit < 256)
		cp_repair_feature(r, (uint32_t)bit, ev->bytes + head,
		    ev->size - head, w->swap);
}

/* Takes a record that becomes a part of the header.  False: it is an event. */
static bool
take_header_record(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_HEADER_ATTR:
	case CP_RECORD_HEADER_EVENT_TYPE:
	case CP_RECORD_COMPRESSED:
	case CP_RECORD_COMPRESSED2: return true;
	case CP_RECORD_HEADER_FEATURE: take_feature(r, w, ev); return true;
	case CP_RECORD_TRACING_DATA: take_tracing(r, w, ev); return true;
	case CP_RECORD_HEADER_BUILD_ID:
		cp_repair_append(r, CP_FEATURE_BUILD_ID, ev->bytes, ev->size);
		return true;
	default: return false;
	}
}

/*
 * After bytes were left out, records become neighbours that were not.  The
 * reader would compare their times; empty marks between them prevent that.
 */
static void
put_marks(struct cp_repair *r, struct cp_rewriter *w)
{
	uint64_t gaps = w->src->quality->gaps + r->formless + r->no_event;

	for (int i = 0; gaps != r->gaps && i < CP_REPAIR_MARKS; i++) {
		cp_rewrite_put32(w, CP_RECORD_FINISHED_INIT);
		cp_rewrite_put16(w, 0);
		cp_rewrite_put16(w, CP_HEAD_SIZE);
		r->marks++;
	}
	r->gaps = gaps;
}

static void
took_sample(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	cp_repair_keep_ids(r, &w->src->rec->evsels, ev);
	cp_repair_count(r, ev->evsel);
	if (ev->cpu <= INT32_MAX) /* CPU numbers are signed in perf */
		r->cpus = CP_MAX(r->cpus, ev->cpu + 1);
	r->records++;
	r->samples++;
	r->digest = cp_repair_digest(r->digest, ev);
}

/* Leaves out values of unknown events, and a sample that has no others. */
static bool
put_counters(
    struct cp_repair *r, struct cp_rewriter *w, const struct cp_event *ev)
{
	const struct cp_evsels *e = &w->src->rec->evsels;
	struct cp_repair_counters c = cp_repair_counters(e, ev);
	uint8_t copy[CP_MAX_RECORD];

	if (c.unknown == 0)
		return false;
	cp_diag_at(w->src->diags, CP_D_UNKNOWN_ID, ev->offset,
	    "counter %" PRIu64, c.id);
	if (c.known == 0) {
		r->no_event++;
		return true;
	}
	r->values += c.unknown;
	cp_repair_without(e, ev, copy);
	cp_rewrite_head(w, ev, c.size);
	cp_rewrite_put(w, copy, c.size - CP_HEAD_SIZE);
	took_sample(r, w, ev);
	return true;
}

static void
put_plain(struct cp_repair *r, struct cp_rewriter *w, struct cp_event *ev)
{
	uint8_t copy[CP_MAX_RECORD];

	put_marks(r, w);
	if (cp_repair_shorten(&w->src->rec->evsels, ev, copy))
		r->shorter++;
	if (put_counters(r, w, ev))
		return;
	if (cp_repair_odd(ev))
		cp_repair_put_odd(w, ev);
	else if (cp_repair_put_nameless(w, ev))
		r->nameless++;
	else
		put_whole(w, ev);
	r->aux |= ev->type == CP_RECORD_AUXTRACE_INFO;
	r->threads |= ev->type == CP_RECORD_THREAD_MAP;
	r->cpu_map |= ev->type == CP_RECORD_CPU_MAP;
	r->deferred += ev->type == CP_RECORD_CALLCHAIN_DEFERRED;
	if (ev->type == CP_RECORD_SAMPLE)
		took_sample(r, w, ev);
	else
		r->records++;
}

static void
put_event(struct cp_repair *r, struct cp_rewriter *w, struct cp_event *ev)
{
	bool sample = ev->type == CP_RECORD_SAMPLE;

	if (r->filter != NULL && !r->filter->record(r->filter->ctx, ev))
		return;
	/* Rounds of a folder's files do not match; perf sorts without them. */
	if (ev->type == CP_RECORD_FINISHED_ROUND && w->src->parts.len != 0)
		return;
	if (sample && ev->evsel == CP_NO_ID) {
		cp_diag_at(w->src->diags, CP_D_UNKNOWN_ID, ev->offset, NULL);
		r->no_event++;
	} else if (!cp_repair_perf_has(&w->src->rec->evsels, ev) ||
		   (cp_repair_counts(ev) && !(r->threads && r->cpu_map))) {
		r->formless++; /* perf has room for counts only after maps */
	} else if (ev->type == CP_RECORD_AUXTRACE) {
		put_auxtrace(r, w, ev);
	} else {
		put_plain(r, w, ev);
	}
}

/* ------------------------------------------------------- what is around */

static void
put_features(struct cp_repair *r, struct cp_rewriter *w)
{
	uint64_t at = place(w) + r->features.len * 16;

	for (size_t i = 0; i < r->features.len; i++) {
		cp_rewrite_put64(w, at);
		cp_rewrite_put64(w, r->features.data[i].size);
		at += r->features.data[i].size;
	}
	for (size_t i = 0; i < r->features.len; i++)
		cp_rewrite_put(
		    w, r->features.data[i].data, r->features.data[i].size);
}

static void
put_header(const struct cp_repair *r, struct cp_rewriter *w,
    struct cp_file_span attrs, uint64_t data_end)
{
	uint64_t bits[4] = { 0 };

	for (size_t i = 0; i < r->features.len; i++) {
		uint32_t bit = r->features.data[i].bit;

		bits[bit / 64] |= UINT64_C(1) << (bit % 64);
	}
	cp_rewrite_flush(w);
	w->at = 0;
	cp_rewrite_put64(w, MAGIC);
	cp_rewrite_put64(w, CP_FILE_HEAD);
	cp_rewrite_put64(w, cp_repair_attr_size(&w->src->rec->evsels) + 16);
	cp_rewrite_put64(w, attrs.offset);
	cp_rewrite_put64(w, attrs.size);
	cp_rewrite_put64(w, CP_FILE_HEAD);
	cp_rewrite_put64(w, data_end - CP_FILE_HEAD);
	cp_rewrite_put64(w, 0);
	cp_rewrite_put64(w, 0);
	for (int i = 0; i < 4; i++)
		cp_rewrite_put64(w, bits[i]);
	cp_rewrite_flush(w);
}

/*
 * Writes the parts around the records; again if the new file reads otherwise.
 */
static void
put_around(struct cp_repair *r, struct cp_rewriter *w, uint64_t data_end)
{
	struct cp_file_span attrs;

	cp_rewrite_flush(w);
	w->at = data_end;
	cp_repair_topology(r, w->src->rec->info.nr_cpus_avail);
	cp_repair_names(r, w->src->rec);
	cp_repair_hostname(r, w->swap);
	cp_repair_judge(r, w->swap);
	put_features(r, w);
	attrs = cp_repair_attrs(r, w);
	r->size = place(w);
	put_header(r, w, attrs, data_end);
}

static enum cp_repair_read
put_and_read_back(struct cp_repair *r, struct cp_rewriter *w, uint64_t data_end)
{
	enum cp_repair_read read;

	put_around(r, w, data_end);
	read = cp_repair_reads_back(r, w->src);
	if (read == CP_REPAIR_SOUND ||
	    (read == CP_REPAIR_OTHER &&
		cp_repair_all_noise(r, &w->src->rec->evsels)))
		return read;
	r->as_read = true;
	put_around(r, w, data_end);
	return cp_repair_reads_back(r, w->src);
}

static void
put_records(struct cp_repair *r, struct cp_rewriter *w)
{
	struct cp_event ev = { 0 };

	while (!w->failed && cp_capture_next(w->src, &ev)) {
		uint64_t before = r->records;
		bool taken = ev.bytes != NULL && take_header_record(r, w, &ev);

		if (ev.bytes != NULL && !taken)
			put_event(r, w, &ev);
		r->mended += ev.mended && (taken || r->records != before);
	}
	cp_repair_add_ids(r, &w->src->rec->evsels);
	w->swap = w->src->rec->swap;
}

static const char *
repair(struct cp_repair *r, struct cp_capture *src, enum cp_repair_read *read)
{
	struct cp_rewriter w = { .src = src,
		.swap = src->rec->swap,
		.fd = cp_temp_file(),
		.at = CP_FILE_HEAD };

	r->fd = w.fd;
	if (w.fd < 0)
		return "there is no room for temporary files";
	if (!src->in.seekable && !src->in.directory)
		return "it can be read only once: save it to a file";
	cp_rewrite_buffer(&w);
	if (src->header != NULL)
		cp_repair_features(r, src);
	put_records(r, &w);
	cp_repair_symbols(r, src->rec);
	if (r->filter != NULL)
		r->filter->features(r->filter->ctx, r);
	cp_repair_tracing(r, src->rec);
	*read = put_and_read_back(r, &w, place(&w));
	cp_buf_free(&w.buf);
	if (w.failed)
		return "reading or writing failed";
	if (r->records == 0)
		return NO_RECORD;
	if (r->samples == 0 && cp_repair_all_noise(r, &src->rec->evsels))
		return "no sample fits a description that is noise in part";
	return *read != CP_REPAIR_OTHER
		   ? NULL
		   : "what was written is not read back with its samples";
}

/* The next file takes the place of the one before. */
static void
take_next(struct cp_repair *r, struct cp_repair *next, uint64_t kept)
{
	int fd = r->fd;

	r->fd = next->fd;
	next->fd = fd;
	r->size = next->size;
	r->marks += next->marks;
	kept = CP_MIN(kept, r->records);
	r->formless += r->records - kept;
	r->records = kept;
}

/* Writes the file once more; returns why there is none. */
static const char *
mend_again(struct cp_repair *r, const struct cp_capture *src,
    enum cp_repair_read *read)
{
	struct cp_repair next = { .fd = -1 };
	const char *why = NULL;
	struct cp_again again;
	uint64_t kept;

	*read = CP_REPAIR_OTHER;
	if (cp_again_open(&again, r, src)) {
		bool fits = repair(&next, &again.capture, read) == NULL &&
			    next.digest == r->digest;

		/* the marks of the file before were read as records */
		kept = next.records - CP_MIN(next.records, r->marks);
		if (kept == 0)
			why = NO_RECORD;
		else if (fits)
			take_next(r, &next, kept);
		else
			*read = CP_REPAIR_OTHER;
	}
	cp_repair_free(&next);
	cp_again_close(&again);
	return why;
}

/*
 * Records that damage had separated are neighbours in the new file, where one
 * of them may be found damaged.  The next file leaves it out, and may bring
 * others together.  If events differed, some trailers have another form than
 * those of the new file.
 */
const char *
cp_repair(struct cp_repair *r, struct cp_capture *src)
{
	enum cp_repair_read read = CP_REPAIR_OTHER;
	const char *why = repair(r, src, &read);
	bool again =
	    read == CP_REPAIR_DAMAGED || cp_repair_differ(&src->rec->evsels);

	for (int i = 0; why == NULL && again && i < MOST_AGAIN; i++) {
		why = mend_again(r, src, &read);
		again = read == CP_REPAIR_DAMAGED;
	}
	return why;
}

/* 8 bytes of a record that was mended count as skipped. */
uint64_t
cp_repair_left_out(const struct cp_repair *r, const struct cp_quality *q)
{
	uint64_t headers = r->mended * CP_HEAD_SIZE;

	return q->bytes_skipped - CP_MIN(headers, q->bytes_skipped);
}

void
cp_repair_free(struct cp_repair *r)
{
	for (size_t i = 0; i < r->features.len; i++)
		free(r->features.data[i].data);
	cp_vec_free(&r->features);
	cp_vec_free(&r->damaged);
	cp_vec_free(&r->per_event);
	cp_map64_free(&r->found_ids);
	if (r->fd >= 0)
		close(r->fd);
}
