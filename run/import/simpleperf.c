/* SPDX-License-Identifier: MIT */
/*
 * Reads the text of simpleperf report-sample: a block for each sample, a value
 * a line, callers by two further blanks:
 *
 *	sample:
 *	  event_type: cpu-clock:u
 *	  time: 123216683338189
 *	  event_count: 69
 *	  thread_id: 28287
 *	  thread_name: sh
 *	  vaddr_in_file: 1644a0
 *	  file: /system/bin/sh
 *	  symbol: main
 *	  callchain:
 *	    vaddr_in_file: 1744a0
 *	...
 *
 * The symbol is the last line of a frame.  Blocks of other names, and values
 * that are not needed, are passed over.
 */
#include "run/import/parsers.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/script-head.h"

enum { MAX_FRAMES = 1024 };

struct simpleperf {
	struct cp_import *im;
	bool open; /* in a block of a sample */
	struct cp_tables_row row;
	uint32_t tid;
	struct cp_import_frame *place; /* being read */
	cp_frame_id frame[MAX_FRAMES]; /* the innermost first */
	size_t frames;
	uint64_t deep; /* frames beyond the limit */
};

static int
end_sample(struct simpleperf *x)
{
	bool open = x->open;

	x->open = false;
	if (!open || x->row.event == CP_NO_ID)
		return CP_OK;
	if (x->row.thread == CP_NO_ID)
		x->row.thread =
		    cp_import_thread(x->im, CP_NO_ID, x->tid, CP_LITERAL(""));
	while (x->frames > 0)
		x->row.stack = cp_import_push(
		    x->im, (cp_stack_id)x->row.stack, x->frame[--x->frames]);
	return cp_import_sample(x->im, &x->row);
}

static void
begin_sample(struct simpleperf *x)
{
	x->open = true;
	x->frames = 0;
	x->tid = CP_NO_ID;
	*x->place = (struct cp_import_frame){ .lines = 1 };
	x->row = (struct cp_tables_row){ .time = CP_NO_TIME,
		.weight = 1,
		.cpu = CP_NO_ID,
		.thread = CP_NO_ID,
		.event = CP_NO_ID,
		.times = 1 };
}

/* "libc.so[+1f0]" and "*libc.so[+1f0]" stand for no name. */
static bool
is_name(struct cp_text t)
{
	size_t i = t.n;

	if (i == 0 || t.s[i - 1] != ']' || cp_text_is(t, "unknown"))
		return i != 0 && !cp_text_is(t, "unknown");
	for (i--; i > 0 && cp_hex_digit(t.s[i - 1]) >= 0; i--)
		;
	return i < 2 || t.s[i - 1] != '+' || t.s[i - 2] != '[';
}

static void
end_frame(struct simpleperf *x, struct cp_text symbol)
{
	x->place->line[0].name = symbol;
	if (is_name(symbol))
		x->place->addr = 0;
	else
		x->place->line[0].name.n = 0;
	if (x->frames < MAX_FRAMES)
		x->frame[x->frames++] = cp_import_frame(x->im, x->place);
	else
		x->deep++;
	*x->place = (struct cp_import_frame){ .lines = 1 };
}

static void
read_value(struct simpleperf *x, struct cp_text key, struct cp_text value)
{
	uint64_t n = 0;
	bool hex = cp_text_is(key, "vaddr_in_file");

	for (size_t i = 0; i < value.n && i < 19; i++) {
		int digit = cp_hex_digit(value.s[i]);

		if (digit < 0 || (digit > 9 && !hex))
			break;
		n = n * (hex ? 16 : 10) + (unsigned)digit;
	}
	if (hex) {
		x->place->addr = n;
	} else if (cp_text_is(key, "file")) {
		x->place->object = cp_import_object(x->im, value);
		x->place->level = cp_import_is_kernel(value) ? CP_LEVEL_KERNEL
							     : CP_LEVEL_USER;
	} else if (cp_text_is(key, "symbol")) {
		end_frame(x, value);
	} else if (cp_text_is(key, "event_type")) {
		x->row.event = cp_import_event(x->im, value, NULL, true);
	} else if (cp_text_is(key, "time")) {
		x->row.time = n;
	} else if (cp_text_is(key, "event_count")) {
		x->row.weight = n;
	} else if (cp_text_is(key, "thread_id")) {
		x->tid = (uint32_t)CP_MIN(n, CP_NO_ID);
	} else if (cp_text_is(key, "thread_name")) {
		x->row.thread =
		    cp_import_thread(x->im, CP_NO_ID, x->tid, value);
	}
}

int
cp_simpleperf_read(struct cp_import *im)
{
	struct simpleperf *x = cp_xcalloc(1, sizeof(*x));
	struct cp_lines lines;
	struct cp_text line;
	int status = CP_OK;

	x->im = im;
	x->place = cp_xcalloc(1, sizeof(*x->place));
	cp_lines_begin(&lines, &im->run->capture.in);
	while (status == CP_OK && cp_lines_next(&lines, &line)) {
		struct cp_text key = cp_text_trimmed(line), value;
		const char *colon = memchr(key.s, ':', key.n);

		if (colon == NULL) {
			if (key.n != 0)
				cp_import_skip(im, lines.at, line.n + 1);
			continue;
		}
		if (line.s[0] != ' ') {
			status = end_sample(x);
			if (cp_text_is(line, "sample:"))
				begin_sample(x);
			continue;
		}
		value = cp_text_trimmed((struct cp_text){
		    colon + 1, (size_t)(key.s + key.n - colon) - 1 });
		key.n = (size_t)(colon - key.s);
		if (x->open)
			read_value(x, key, value);
	}
	if (status == CP_OK)
		status = end_sample(x);
	cp_lines_end(&lines);
	cp_import_say(im, "no CPUs, no processes");
	if (x->deep != 0)
		cp_diag(im->run->diags, CP_D_LIMIT,
		    "%d frames of a sample: %" PRIu64 " frames are left out",
		    MAX_FRAMES, x->deep);
	free(x->place);
	free(x);
	return status;
}
