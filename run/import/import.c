/* SPDX-License-Identifier: MIT */
/*
 * import: opens a profile of another tool by its content.
 *
 * Text is perf script's or folded, whichever more of its first lines are; JSON
 * and protobuf are told by their members.
 */
#include "run/import/import.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/json.h"
#include "run/import/parsers.h"
#include "run/import/script-head.h"

enum { FIRST_LINES = 400 };

/* Names are those that the profile has: nothing proves them. */
static void
begin(struct cp_import *im, const char *kind)
{
	im->kind = kind;
	cp_import_say(im, "%s, names by others", kind);
}

static int
none(struct cp_run *run, const char *what)
{
	cp_diag(run->diags, CP_D_NOT_PERF, "%s", what);
	return CP_FAIL;
}

/* Text that is read by the tool that wrote it alone; NULL: none of these. */
static const char *
other_tool(struct cp_text line)
{
	static const char *const old[] = { "--- heapz ", "--- contentionz ",
		"--- threadz ", "--- Memory map: ", "heap profile: ",
		"goroutine profile: ", "threadcreate profile: ", "heap_v2/",
		"PeriodType: ", "Showing nodes accounting for " };

	if (cp_text_begins(line, ". ... raw event: "))
		return "the text of perf script -D or perf report -D, which "
		       "shows records: give the capture itself, or perf script "
		       "without -D";
	for (size_t i = 0; i < CP_ARRAY_LEN(old); i++)
		if (cp_text_begins(line, old[i]))
			return "text of pprof, or one of its old profiles: go "
			       "tool pprof -proto makes one that is read";
	return NULL;
}

/* Tables have numbers in columns, too, but no letters in them. */
static bool
has_letter(struct cp_text address)
{
	for (size_t i = 0; i < address.n && address.s[i] != ' '; i++)
		if (address.s[i] >= 'a')
			return true;
	return false;
}

static int
read_text(struct cp_import *im)
{
	size_t folded = 0, script = 0, frames = 0, other = 0, flat = 0, n = 0;
	const char *tool = NULL;
	bool simpleperf = false, hexadecimal = false, inlined;
	struct cp_lines lines;
	struct cp_text line, frame;
	struct cp_script_head h;

	cp_lines_begin(&lines, &im->run->capture.in);
	while (n < FIRST_LINES && cp_lines_next(&lines, &line)) {
		if (line.n == 0 || line.s[0] == '#')
			continue;
		n++;
		simpleperf |= cp_text_is(line, "sample:");
		tool = tool != NULL ? tool : other_tool(line);
		if (cp_script_is(line))
			script++;
		else if (cp_script_flat(line, &h, &frame))
			flat++, hexadecimal |= has_letter(frame);
		else if (cp_script_is_frame(line))
			frames++;
		else if (cp_folded_is(line))
			folded++;
		else if (!cp_script_is_source(line, &inlined))
			other++;
	}
	cp_lines_end(&lines);
	script += hexadecimal ? flat : 0;
	other += hexadecimal ? 0 : flat;
	if (tool != NULL)
		return none(im->run, tool);
	if (simpleperf && script == 0) {
		begin(im, "text of simpleperf report-sample");
		return cp_simpleperf_read(im);
	}
	if (script + frames > other && script + frames >= folded) {
		begin(im, "text of perf script");
		return cp_script_read(im);
	}
	begin(im, "folded stacks");
	return cp_folded_read(im);
}

static int
read_json(struct cp_import *im, struct cp_text all)
{
	struct cp_json json;
	int status;

	if (!cp_json_parse(&json, all))
		cp_import_skip(im, json.bad, all.n - json.bad);
	cp_import_fault(im, json.whole && json.bad != all.n, "text",
	    "after the end of the profile, which is left out");
	im->cut = !json.whole &&
		  (json.bad == all.n ||
		      strchr("\"-0123456789", all.s[json.bad]) != NULL);
	if (cp_json_member(&json, 0, "threads") != 0) {
		begin(im, "a profile for Firefox");
		status = cp_firefox_read(im, &json);
	} else if (cp_json_member(&json, 0, "profiles") != 0) {
		begin(im, "a profile for speedscope");
		status = cp_speedscope_read(im, &json);
	} else {
		status = none(im->run,
		    json.whole ? "JSON, but of no profile that is known: "
				 "Firefox Profiler's and speedscope's are"
			       : "JSON that is cut or damaged before its "
				 "first profile");
	}
	if (status == CP_OK && !json.whole && im->run->quality.samples == 0)
		status = none(im->run,
		    "JSON that is cut or damaged before the stacks or the "
		    "weights of its samples: get the whole file");
	cp_json_free(&json);
	return status;
}

static int
read_whole(struct cp_import *im)
{
	struct cp_text all, bare;
	size_t i = 0;
	int status = cp_import_whole(im->run, &all);

	if (status != CP_OK)
		return status;
	bare = cp_import_no_mark(all);
	while (i < bare.n && memchr(" \t\r\n", bare.s[i], 4) != NULL)
		i++;
	if (i < bare.n && bare.s[i] == '{') {
		status = read_json(im, bare);
	} else if (cp_simpleperf_is(all)) {
		begin(im, "simpleperf report-sample");
		status = cp_simpleperf_proto_read(im, all);
	} else if (cp_pprof_is(all)) {
		begin(im, "pprof");
		status = cp_pprof_read(im, all);
	} else if (cp_otlp_is(all)) {
		begin(im, "OpenTelemetry profiles");
		status = cp_otlp_read(im, all);
	} else {
		status = none(im->run, "no perf magic in the first bytes");
	}
	free((void *)all.s);
	return status;
}

static int
by_time(const void *a, const void *b)
{
	const struct cp_tables_row *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void
finish(struct cp_import *im)
{
	struct cp_run *run = im->run;
	struct cp_tables *t = im->to;
	uint64_t size = run->capture.in.size;

	if (run->quality.samples == 0)
		cp_import_say(im, "no samples are in it");
	cp_diag(run->diags, CP_D_IMPORTED, "%s", cp_buf_text(&t->about));
	if (im->unsorted)
		qsort(
		    t->rows.data, t->rows.len, sizeof(*t->rows.data), by_time);
	run->quality.bytes_total = size;
	run->quality.bytes_skipped = CP_MIN(im->skipped, size);
	run->quality.bytes_parsed = size - run->quality.bytes_skipped;
	run->quality.records = run->quality.samples;
	if (im->cut && run->diags->count[CP_D_TRUNCATED] == 0)
		cp_diag(run->diags, CP_D_TRUNCATED, "%s", im->kind);
	if (im->faults.len != 0)
		cp_diag(run->diags, CP_D_BAD_PROFILE, "%s: %s", im->kind,
		    cp_buf_text(&im->faults));
	if (im->skipped != 0)
		cp_diag_at(run->diags, CP_D_BAD_PROFILE, im->first_bad,
		    "%s: %" PRIu64 " byte%s", im->kind, im->skipped,
		    cp_s(im->skipped));
}

int
cp_import_open(struct cp_run *run)
{
	struct cp_import im = { .run = run, .to = cp_tables_new(run) };
	struct cp_input *in = &run->capture.in;
	int status = in->seekable ? CP_OK : cp_input_spool(in, run->diags);

	im.to->imported = true;
	cp_buf_init(&im.to->about, 4096);
	cp_buf_init(&im.faults, 4096);
	*cp_vec_push(&im.to->object) = 0;
	*cp_vec_push(&im.to->symbol) = NULL;
	if (status == CP_OK)
		status = run->capture.profile == CP_PROFILE_TEXT
			     ? read_text(&im)
			     : read_whole(&im);
	if (status == CP_OK) {
		run->rec.container = im.kind;
		finish(&im);
	}
	cp_import_free(&im);
	return status;
}
