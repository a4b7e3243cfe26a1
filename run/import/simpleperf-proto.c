/* SPDX-License-Identifier: MIT */
/*
 * Reads what simpleperf report-sample --protobuf writes: a magic, a version of
 * two bytes, and records, each after its length in four bytes, 0 at the end.
 *
 * A record has one field: a sample (1), what was lost (2), a file with its
 * symbols (3), a thread (4), names of events (5).  Files and threads follow the
 * samples that refer to them, so all are noted first.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/proto.h"

static const char magic[] = "SIMPLEPERF";
enum { HEAD = 12, MAX_FRAMES = 1024, SAMPLE = 1, LOST, FILE_OF, THREAD, META };

struct simpleperf {
	struct cp_import *im;
	cp_text_vec samples, files, threads, events, symbols;
	struct cp_map64 file, thread; /* id + 1 to index + 1 */
	CP_VEC(uint32_t) first;       /* symbol of a file */
	struct cp_import_frame place;
	cp_frame_id frame[MAX_FRAMES]; /* the innermost first */
	size_t frames;
	uint64_t lost, deep;
};

bool
cp_simpleperf_is(struct cp_text all)
{
	return cp_text_begins(all, magic) && all.n > HEAD;
}

static void
note_texts(cp_text_vec *to, struct cp_text message, uint32_t number)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f))
		if (f.number == number && f.text.s != NULL)
			*cp_vec_push(to) = f.text;
}

/* Ids begin at 0, which a message leaves out; the map has the id + 1. */
static void
note_id(cp_text_vec *all, struct cp_map64 *by_id, struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_field f;
	uint64_t id = 0;

	while (cp_proto_next(&p, &f))
		id = f.number == 1 ? f.value : id;
	*cp_vec_push(all) = message;
	*cp_map64_put(by_id, CP_MIN(id, UINT32_MAX) + 1) = (uint32_t)all->len;
}

static void
note_record(struct simpleperf *x, struct cp_text record)
{
	struct cp_proto_in p = cp_proto_of(record), of;
	struct cp_proto_field f, lost;

	while (cp_proto_next(&p, &f)) {
		if (f.text.s == NULL)
			continue;
		if (f.number == SAMPLE) {
			*cp_vec_push(&x->samples) = f.text;
		} else if (f.number == FILE_OF) {
			note_id(&x->files, &x->file, f.text);
			*cp_vec_push(&x->first) = (uint32_t)x->symbols.len;
			note_texts(&x->symbols, f.text, 3);
		} else if (f.number == THREAD) {
			note_id(&x->threads, &x->thread, f.text);
		} else if (f.number == META) {
			note_texts(&x->events, f.text, 1);
		}
		of = cp_proto_of(f.text);
		while (f.number == LOST && cp_proto_next(&of, &lost))
			if (lost.number == 2 && lost.value > x->lost)
				x->lost = lost.value;
	}
}

static void
note_records(struct simpleperf *x, struct cp_text all)
{
	const uint8_t *at = (const uint8_t *)all.s + HEAD,
		      *end = (const uint8_t *)all.s + all.n;

	while (end - at >= 4) {
		uint32_t n = (uint32_t)at[0] | (uint32_t)at[1] << 8 |
			     (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

		if (n == 0)
			return;
		if (n > (size_t)(end - at - 4))
			break;
		note_record(x, (struct cp_text){ (const char *)at + 4, n });
		at += 4 + (size_t)n;
	}
	cp_import_skip(x->im, (uint64_t)(at - (const uint8_t *)all.s),
	    CP_MAX((uint64_t)(end - at), 1));
}

/* Reads an entry of a call chain: address, file, symbol of the file. */
static void
read_frame(struct simpleperf *x, struct cp_text entry)
{
	struct cp_proto_in p = cp_proto_of(entry);
	uint64_t addr = 0, file = 0, symbol = 0;
	struct cp_text path = { "", 0 }, name = { "", 0 };
	struct cp_proto_field f;
	uint32_t at;

	if (x->frames == MAX_FRAMES) {
		x->deep++;
		return;
	}
	while (cp_proto_next(&p, &f)) {
		addr = f.number == 1 ? f.value : addr;
		file = f.number == 2 ? f.value : file;
		symbol = f.number == 3 ? f.value : symbol;
	}
	at = cp_map64_get(&x->file, CP_MIN(file, UINT32_MAX) + 1);
	if (at != 0) {
		uint64_t end =
		    at < x->first.len ? x->first.data[at] : x->symbols.len;

		p = cp_proto_of(x->files.data[at - 1]);
		while (cp_proto_next(&p, &f))
			if (f.number == 2 && f.text.s != NULL)
				path = f.text;
		if (symbol < end - x->first.data[at - 1])
			name = x->symbols.data[x->first.data[at - 1] + symbol];
	}
	x->place = (struct cp_import_frame){ .lines = 1,
		.object = cp_import_object(x->im, path),
		.level =
		    cp_import_is_kernel(path) ? CP_LEVEL_KERNEL : CP_LEVEL_USER,
		.addr = name.n != 0 ? 0 : addr };
	x->place.line[0].name = name;
	x->frame[x->frames++] = cp_import_frame(x->im, &x->place);
}

static uint32_t
thread_of(struct simpleperf *x, uint64_t tid)
{
	uint32_t at = cp_map64_get(&x->thread, CP_MIN(tid, UINT32_MAX) + 1),
		 pid = CP_NO_ID;
	struct cp_text name = { "", 0 };
	struct cp_proto_in p;
	struct cp_proto_field f;

	if (at != 0) {
		p = cp_proto_of(x->threads.data[at - 1]);
		while (cp_proto_next(&p, &f))
			if (f.number == 2)
				pid = (uint32_t)CP_MIN(f.value, CP_NO_ID);
			else if (f.number == 3 && f.text.s != NULL)
				name = f.text;
	}
	return cp_import_thread(
	    x->im, pid, (uint32_t)CP_MIN(tid, CP_NO_ID), name);
}

static int
read_sample(struct simpleperf *x, struct cp_text sample)
{
	struct cp_proto_in p = cp_proto_of(sample);
	struct cp_tables_row row = {
		.time = 0, .weight = 0, .cpu = CP_NO_ID, .times = 1
	};
	struct cp_text event;
	uint64_t tid = 0, type = 0;
	struct cp_proto_field f;

	x->frames = 0;
	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			row.time = f.value;
		else if (f.number == 2)
			tid = f.value;
		else if (f.number == 3 && f.text.s != NULL)
			read_frame(x, f.text);
		else if (f.number == 4)
			row.weight = f.value;
		else if (f.number == 5)
			type = f.value;
	}
	while (x->frames > 0)
		row.stack = cp_import_push(
		    x->im, (cp_stack_id)row.stack, x->frame[--x->frames]);
	row.thread = thread_of(x, tid);
	event = cp_text_at(&x->events, type);
	row.event = cp_import_event(
	    x->im, event.n != 0 ? event : CP_LITERAL("samples"), NULL, true);
	return cp_import_sample(x->im, &row);
}

int
cp_simpleperf_proto_read(struct cp_import *im, struct cp_text all)
{
	struct simpleperf *x = cp_xcalloc(1, sizeof(*x));
	int status = CP_OK;

	x->im = im;
	note_records(x, all);
	for (size_t i = 0; i < x->samples.len && status == CP_OK; i++)
		status = read_sample(x, x->samples.data[i]);
	cp_import_say(im, "no CPUs");
	if (x->lost != 0)
		cp_import_say(
		    im, "%" PRIu64 " samples were lost, it says", x->lost);
	if (x->deep != 0)
		cp_diag(im->run->diags, CP_D_LIMIT,
		    "%d frames of a sample: %" PRIu64 " frames are left out",
		    MAX_FRAMES, x->deep);
	cp_vec_free(&x->samples);
	cp_vec_free(&x->files);
	cp_vec_free(&x->threads);
	cp_vec_free(&x->events);
	cp_vec_free(&x->symbols);
	cp_vec_free(&x->first);
	cp_map64_free(&x->file);
	cp_map64_free(&x->thread);
	free(x);
	return status;
}
