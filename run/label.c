/* SPDX-License-Identifier: MIT */
/*
 * label: writes the head of every report, so that a picture found years later
 * is understood.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/redact/names.h"
#include "base/strings.h"
#include "run/bare-event.h"
#include "run/tables-rows.h"
#include "config.h"

static void
label_text(struct cp_report *rep, const char *key, const char *value)
{
	if (value != NULL && value[0] != '\0')
		cp_report_scalar_text(rep, "label", key, value);
}

enum {
	MAX_EVENTS_TEXT = 4096, /* bytes */
	MAX_TITLE = 511,
	MAX_EVENT = 200,
	MANY_ALIKE = 5, /* events of one system that are not listed */
};

/* Writes how often an event was sampled; one of a group may be counted only. */
static void
put_rate(struct cp_buf *b, const struct cp_evsel *e)
{
	const char *up_to = e->rates ? "up to " : "";

	if (e->freq && e->sample_period == 0)
		cp_buf_str(b, "rate not known");
	else if (e->freq)
		cp_buf_printf(b, "%s%" PRIu64 " Hz", up_to, e->sample_period);
	else if (e->sample_period != 0)
		cp_buf_printf(b, "every %s%" PRIu64, up_to, e->sample_period);
	else
		cp_buf_str(b, "counted");
}

/* Bytes of the part of a name that names its system: "sched:". */
static size_t
system_of(const struct cp_evsel *e)
{
	const char *colon = strchr(e->name, ':');

	return !e->tracepoint || colon == NULL ? 0
					       : (size_t)(colon - e->name) + 1;
}

/* Number of events from the i-th that are of its system and have its rate. */
static uint32_t
alike_from(const struct cp_run *run, uint32_t i)
{
	const struct cp_evsel *e = cp_run_evsel(run, i), *other;
	size_t len = system_of(e);
	uint32_t n = 1;

	for (; len != 0 && i + n < cp_run_evsel_count(run); n++) {
		other = cp_run_evsel(run, i + n);
		if (system_of(other) != len || other->freq != e->freq ||
		    other->sample_period != e->sample_period ||
		    memcmp(other->name, e->name, len) != 0)
			break;
	}
	return n;
}

/* Writes the n events from the i-th: "cycles (997 Hz)". */
static void
put_events(struct cp_buf *b, const struct cp_run *run, uint32_t i, uint32_t n)
{
	const struct cp_evsel *e = cp_run_evsel(run, i);

	if (n == 1)
		cp_buf_printf(b, "%s (", e->name);
	else
		cp_buf_printf(b, "%.*s* (%" PRIu32 " events, ",
		    (int)system_of(e), e->name, n);
	put_rate(b, e);
	cp_buf_char(b, ')');
}

/*
 * Writes "cycles (997 Hz), faults (every 1), sched:* (26 events, every 1)".
 * The list ends before the first event that does not fit.
 */
static void
label_events(const struct cp_run *run, struct cp_report *rep)
{
	uint32_t left_out = 0, n;
	struct cp_buf b, one;

	cp_buf_init(&b, MAX_EVENTS_TEXT);
	cp_buf_init(&one, MAX_EVENTS_TEXT);
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i += n) {
		n = 1;
		if (cp_run_evsel(run, i)->dummy)
			continue;
		if (alike_from(run, i) >= MANY_ALIKE)
			n = alike_from(run, i);
		cp_buf_reset(&one);
		cp_buf_str(&one, b.len != 0 ? ", " : "");
		put_events(&one, run, i, n);
		if (left_out != 0 || one.full ||
		    b.len + one.len > MAX_EVENTS_TEXT - 32)
			left_out += n;
		else
			cp_buf_add(&b, one.data, one.len);
	}
	if (left_out != 0)
		cp_buf_printf(
		    &b, "%s%" PRIu32 " more", b.len != 0 ? ", " : "", left_out);
	label_text(rep, "events", cp_buf_text(&b));
	cp_buf_free(&one);
	cp_buf_free(&b);
}

static void
label_filter(const struct cp_run *run, struct cp_report *rep)
{
	const struct cp_quality *q = &run->quality;
	bool filtered;
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	(void)cp_filter_label(run, &b);
	label_text(rep, "filter", cp_buf_text(&b));
	filtered = b.len != 0;
	cp_buf_reset(&b);
	cp_filter_functions(run, &b);
	label_text(rep, "functions", cp_buf_text(&b));
	cp_buf_reset(&b);
	if (run->options->clock_offset != NULL)
		cp_clock_told(run->options->clock_offset, &b);
	label_text(rep, "clock offset", cp_buf_text(&b));
	cp_buf_free(&b);
	if (run->filter.any || filtered)
		cp_report_scalar(rep, "label", "samples of the filter",
		    CP_COL_COUNT, q->samples_kept);
	cp_report_scalar(rep, "label", "samples", CP_COL_COUNT, q->samples);
}

/* What is to be redacted would not be found in a part of the command line. */
static const char *
recorded(const struct cp_run *run)
{
	const struct cp_info *info = &run->rec.info;
	const char *line = info->cmdline_text, *path = run->capture.in.path;
	bool whole = run->options->redact != NULL;

	if (line != NULL && line[0] != '\0' && (whole || info->cmdline.n == 0))
		return !whole || strlen(line) <= MAX_TITLE ? line : "";
	if (whole)
		return path;
	return info->workload != NULL ? info->workload : cp_basename(path);
}

static void
label_title(struct cp_run *run, struct cp_report *rep)
{
	const struct cp_info *info = &run->rec.info;
	const char *what = recorded(run);
	struct cp_buf b;

	cp_buf_init(&b, 8192);
	cp_buf_str(&b, rep->analysis);
	cp_buf_str(&b, what[0] != '\0' ? ": " : "");
	cp_buf_cut(&b, what, strlen(what), MAX_TITLE);
	if (info->hostname != NULL)
		cp_buf_printf(&b, " on %.200s", info->hostname);
	rep->title = cp_arena_strndup(&rep->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static void
label_quality(const struct cp_run *run, struct cp_report *rep)
{
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	cp_run_flaws(run, &b);
	label_text(rep, "quality",
	    b.len != 0 ? cp_buf_text(&b) : "everything read, nothing lost");
	cp_buf_free(&b);
}

/* Separates a part of the line from the one before it. */
static void
put_gap(struct cp_buf *b)
{
	cp_buf_str(b, b->len != 0 ? " · " : "");
}

/* Writes the capture's length, in a small unit if it is short. */
static void
put_length(struct cp_buf *b, uint64_t ns)
{
	put_gap(b);
	if (ns >= 50000000)
		cp_buf_printf(b, "%.1f s", (double)ns / 1e9);
	else if (ns >= 50000)
		cp_buf_printf(b, "%.1f ms", (double)ns / 1e6);
	else
		cp_buf_printf(b, "%.1f us", (double)ns / 1e3);
}

/*
 * Writes when the file was recorded, to the second, as simpleperf's header has
 * it; perf's has no date.
 */
static bool
header_date(const struct cp_info *info, char *text, size_t size)
{
	const char *s = cp_info_meta(info, "timestamp");
	char *end = NULL;
	long long seconds = s != NULL ? strtoll(s, &end, 10) : 0;
	time_t t = (time_t)seconds;
	struct tm tm;

	return seconds > 0 && *end == '\0' && gmtime_r(&t, &tm) != NULL &&
	       strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm) != 0;
}

static bool
label_date(struct cp_run *run, char *text, size_t size)
{
	return cp_run_wall_clock(run, run->quality.first_time, text, size) ||
	       header_date(&run->rec.info, text, size);
}

static void
put_host(struct cp_buf *b, const struct cp_run *run)
{
	size_t hosts = cp_run_origins_hosts(run);

	if (run->rec.info.hostname != NULL)
		cp_buf_printf(b, "%.200s", run->rec.info.hostname);
	else if (hosts > 1)
		cp_buf_printf(b, "%zu hosts", hosts);
}

/* Writes what the whole of a picture is, if that is a part of the capture. */
static void
put_filter(struct cp_buf *b, const struct cp_run *run)
{
	struct cp_buf line;

	cp_buf_init(&line, SIZE_MAX / 2);
	cp_filter_line(run, &line);
	if (line.len != 0) {
		put_gap(b);
		cp_buf_str(b, cp_buf_text(&line));
	}
	cp_buf_free(&line);
}

static void
put_flaws(struct cp_buf *b, const struct cp_run *run)
{
	struct cp_buf flaws;

	cp_buf_init(&flaws, 4096);
	cp_run_flaws(run, &flaws);
	if (flaws.len != 0) {
		put_gap(b);
		cp_buf_str(b, cp_buf_text(&flaws));
	}
	cp_buf_free(&flaws);
}

static void
line_text(struct cp_run *run, const char *event, struct cp_buf *b)
{
	const struct cp_quality *q = &run->quality;
	char text[80];

	put_host(b, run);
	cp_run_labels(run, b);
	if (label_date(run, text, sizeof(text))) {
		put_gap(b);
		cp_buf_str(b, text);
	}
	if (q->first_time != CP_NO_TIME)
		put_length(b, q->last_time - q->first_time);
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		if (strcmp(cp_run_event_name(run, i), event) == 0) {
			put_gap(b);
			cp_buf_cut(b, event, strlen(event), MAX_EVENT);
			cp_buf_str(b, e->freq ? " at " : " ");
			put_rate(b, e);
			break;
		}
	}
}

static const char *
label_of(struct cp_run *run, struct cp_report *rep, const char *event)
{
	struct cp_buf b;
	const char *text;

	cp_buf_init(&b, 8192);
	line_text(run, event, &b);
	put_filter(&b, run);
	put_flaws(&b, run);
	text = cp_arena_strndup(&rep->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return text;
}

void
cp_run_label_line(struct cp_run *run, struct cp_report *rep)
{
	rep->label = label_of(run, rep, rep->event);
	rep->main_label = label_of(run, rep, rep->main_event);
}

/* Returns the event of a report, unless the analysis sets it. */
static uint32_t
main_event(struct cp_run *run)
{
	uint32_t best = CP_NO_ID;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);
		uint64_t n = cp_run_kept_meaning(run, i);

		if (n != 0 && !e->dummy &&
		    (best == CP_NO_ID ||
			cp_event_before(e, n, cp_run_evsel(run, best),
			    cp_run_kept_meaning(run, best))))
			best = i;
	}
	return best;
}

static const char *
main_name(struct cp_run *run)
{
	uint32_t event = main_event(run);

	return event != CP_NO_ID ? cp_run_event_name(run, event) : "";
}

/* ------------------------------------------------- the capture as an origin */

static const char *
interned(struct cp_run *run, const char *text)
{
	return cp_run_string(run, cp_run_intern(run, text != NULL ? text : ""));
}

/* Returns the capture's path, as redacted. */
static const char *
shown_name(const struct cp_run *run)
{
	struct cp_redact *r = run->options->redact;
	const char *path = run->capture.in.path;

	return r != NULL ? cp_redact_text(r, path) : path;
}

/* Makes the origin of the capture from its header. */
static struct cp_report_origin
origin_of(struct cp_run *run)
{
	const struct cp_info *info = &run->rec.info;
	struct cp_buf label, damage;
	char date[80];
	struct cp_report_origin o = {
		.name = interned(run, shown_name(run)),
		.host = interned(run, info->hostname),
		.kernel = interned(run, info->os_release),
		.arch = interned(run, info->arch),
		.command = interned(run, info->cmdline_text),
		.at = run->quality.first_time,
		.filter = cp_filter_part(run, NULL),
		.start = cp_run_start(run),
		.end = info->last_time,
		.quality = run->quality,
	};

	if (!cp_info_wall_clock(info, o.at, &o.wall) || o.at == CP_NO_TIME)
		o.wall = CP_NO_TIME;
	o.date = label_date(run, date, sizeof(date)) ? interned(run, date) : "";
	cp_buf_init(&label, 4096);
	line_text(run, main_name(run), &label);
	put_flaws(&label, run);
	o.label = interned(run, cp_buf_text(&label));
	cp_buf_init(&damage, 1 << 16);
	cp_run_damage(run, &damage);
	o.damage = interned(run, cp_buf_text(&damage));
	cp_buf_free(&damage);
	cp_buf_free(&label);
	return o;
}

void
cp_run_origins_move(struct cp_run *all, struct cp_run *from, uint64_t by)
{
	struct cp_report_origin one;
	const struct cp_report_origin *list = from->origins.data;
	size_t n = from->origins.len;

	if (n == 0) {
		one = origin_of(from);
		list = &one;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		struct cp_report_origin o = list[i];

		if (from->tables != NULL)
			o.filter = cp_filter_part(from, &o);
		if (o.at != CP_NO_TIME)
			o.at += by; /* modulo 2^64: by may be less than 0 */
		cp_run_origin_add(all, &o);
	}
}

/* --------------------------------------------------------------- all of it */

void
cp_run_label(struct cp_run *run, struct cp_report *rep)
{
	const struct cp_info *info = &run->rec.info;
	const struct cp_quality *q = &run->quality;
	uint32_t event = main_event(run);
	char text[80];
	struct cp_buf text_of;

	cp_buf_init(&text_of, 4096);
	label_title(run, rep);
	rep->weight = cp_run_weight_name(run);
	cp_report_event(rep, main_name(run));
	rep->main_event = rep->event;
	rep->start = cp_run_start(run);
	label_text(rep, "capture", run->capture.in.path);
	rep->pprof = cp_tables_pprof(run);
	label_text(rep, "profile", cp_tables_about(run));
	label_text(rep, "host", info->hostname);
	label_text(rep, "kernel", info->os_release);
	cp_run_origins_label(run, rep);
	label_text(rep, "command", info->cmdline_text);
	cp_run_labels(run, &text_of);
	label_text(rep, "labels", cp_buf_text(&text_of));
	if (cp_run_wall_clock(run, q->first_time, text, sizeof(text)))
		label_text(rep, "start", text);
	else if (header_date(info, text, sizeof(text)))
		label_text(rep, "date", text);
	if (q->first_time != CP_NO_TIME)
		cp_report_scalar(rep, "label", "duration", CP_COL_TIME,
		    q->last_time - q->first_time);
	label_events(run, rep);
	cp_buf_reset(&text_of);
	if (event != CP_NO_ID && cp_run_hybrid(run, event, &text_of))
		label_text(rep, "hybrid", cp_buf_text(&text_of));
	cp_buf_free(&text_of);
	label_filter(run, rep);
	label_quality(run, rep);
	label_text(rep, "tool", PACKAGE_STRING);
	rep->origins.len = 0;
	for (size_t i = 0; i < run->origins.len; i++)
		*cp_vec_push(&rep->origins) = run->origins.data[i];
	for (size_t i = 0; run->tables != NULL && i < rep->origins.len; i++)
		rep->origins.data[i].filter =
		    cp_filter_part(run, &rep->origins.data[i]);
	if (run->origins.len == 0)
		*cp_vec_push(&rep->origins) = origin_of(run);
}
