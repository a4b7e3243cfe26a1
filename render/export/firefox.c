/* SPDX-License-Identifier: MIT */
/*
 * firefox: the processed profile of profiler.firefox.com, version 66, which
 * newer ones convert; compressed.
 *
 * Each thread is there once for each event that it has samples of.  Small
 * threads are joined.  Lost records, waits, and samples that have labels are
 * markers.  Weights are milliseconds, bytes, or counts.
 */
#include "render/export/common/about.h"
#include "render/export/firefox-code.h"
#include "render/export/firefox-threads.h"
#include "render/export/common/gzip.h"

struct firefox {
	struct cp_firefox code;
	const struct cp_export *x;
	struct cp_firefox_threads threads;
	uint64_t start;
	bool comma;
};

/* Nanoseconds as milliseconds with a fraction. */
static void
put_ms(struct cp_out *out, uint64_t ns)
{
	cp_out_printf(
	    out, "%" PRIu64 ".%06u", ns / 1000000, (unsigned)(ns % 1000000));
}

static uint64_t
since_start(const struct firefox *w, uint64_t time)
{
	return time != CP_NO_TIME && time > w->start ? time - w->start : 0;
}

/* ------------------------------------------------------------------- head */

static void
put_about(void *ctx, const char *line)
{
	struct firefox *w = ctx;

	cp_out_str(w->code.out, w->comma ? ",\n" : "\n");
	cp_out_str(w->code.out, "{\"label\":\"\",\"format\":\"string\",");
	cp_put_pair(w->code.out, "value", line);
	cp_out_char(w->code.out, '}');
	w->comma = true;
}

static void
put_meta(struct firefox *w, const struct cp_render_options *opt)
{
	struct cp_out *out = w->code.out;

	cp_out_str(out, "\"meta\":{\"interval\":1,\"startTime\":0,"
			"\"processType\":0,\"stackwalk\":1,\"version\":30,"
			"\"preprocessedProfileVersion\":66,"
			"\"symbolicated\":true,\"debug\":false,"
			"\"usesOnlyOneStackType\":true,"
			"\"sourceCodeIsNotOnSearchfox\":true,\"abi\":\"\","
			"\"misc\":\"\",\"oscpu\":\"\",\"platform\":\"\","
			"\"toolkit\":\"\",\"appBuildID\":\"\","
			"\"sourceURL\":\"\",\"physicalCPUs\":0,"
			"\"logicalCPUs\":0,\"extensions\":{\"id\":[],"
			"\"name\":[],\"baseURL\":[],\"length\":0},\n");
	cp_put_pair(out, "importedFrom", opt->tool);
	cp_out_str(out, ",\n");
	cp_put_pair(out, "product", w->x->report->title);
	cp_out_str(out, ",\n\"categories\":["
			"{\"name\":\"Other\",\"color\":\"grey\","
			"\"subcategories\":[\"Other\"]},"
			"{\"name\":\"User\",\"color\":\"yellow\","
			"\"subcategories\":[\"Other\"]},"
			"{\"name\":\"Kernel\",\"color\":\"orange\","
			"\"subcategories\":[\"Other\"]}],\n"
			"\"markerSchema\":[{\"name\":\"coldperf-wait\","
			"\"tableLabel\":\"{marker.data.reason}\","
			"\"display\":[\"marker-chart\",\"marker-table\"],"
			"\"fields\":[{\"key\":\"reason\","
			"\"label\":\"Reason\",\"format\":\"string\"}]},"
			"{\"name\":\"coldperf-lost\","
			"\"tableLabel\":\"{marker.data.count}\","
			"\"display\":[\"marker-chart\",\"marker-table\"],"
			"\"fields\":[{\"key\":\"count\",\"label\":"
			"\"Records lost\",\"format\":\"integer\"}]},"
			"{\"name\":\"coldperf-sample\","
			"\"tableLabel\":\"{marker.data.labels}\","
			"\"display\":[\"marker-chart\",\"marker-table\"],"
			"\"fields\":[{\"key\":\"labels\",\"label\":"
			"\"Sample\",\"format\":\"string\"}]}],\n"
			"\"extra\":[{\"label\":\"About the capture\","
			"\"entries\":[");
	cp_export_about(w->x, opt, put_about, w);
	cp_out_str(out, "]}]}");
}

/* ---------------------------------------------------------------- samples */

static void
put_samples(struct firefox *w, const struct cp_firefox_thread *t)
{
	const struct cp_profile *p = w->code.p;
	const struct cp_profile_event *e = &p->events.data[t->event];
	const uint32_t *order = w->threads.order + t->first;
	const char *unit = cp_export_unit(e);
	bool ms = strcmp(unit, "nanoseconds") == 0;
	struct cp_out *out = w->code.out;

	cp_out_str(out, "\"samples\":{\"stack\":[");
	for (size_t i = 0; i < t->n; i++) {
		if (i != 0)
			cp_out_char(out, ',');
		cp_out_u64(
		    out, cp_firefox_stack(&w->code, p->stack.data[order[i]]));
	}
	cp_out_str(out, "],\n\"time\":[");
	for (size_t i = 0; i < t->n; i++) {
		if (i != 0)
			cp_out_char(out, ',');
		put_ms(out, since_start(w, p->time.data[order[i]]));
	}
	cp_out_str(out, "],\n\"weight\":[");
	for (size_t i = 0; i < t->n; i++) {
		if (i != 0)
			cp_out_char(out, ',');
		if (ms)
			put_ms(out, p->weight.data[order[i]]);
		else
			cp_out_u64(out, p->weight.data[order[i]]);
	}
	cp_out_str(out, "],\n");
	cp_put_pair(out, "weightType",
	    ms                           ? "tracing-ms"
	    : strcmp(unit, "bytes") == 0 ? "bytes"
					 : "samples");
	cp_out_char(out, ',');
	cp_put_number(out, "length", t->n);
	cp_out_char(out, '}');
}

/* ---------------------------------------------------------------- markers */

struct marker {
	uint64_t from, to;
	const char *name;
	const char *reason; /* of a wait */
	const char *labels; /* of a sample; without both it is a loss */
	uint64_t count;
};
typedef CP_VEC(struct marker) markers;

/* A thread is there once for each event; its waits are with the first. */
static bool
is_first(const struct firefox *w, const struct cp_firefox_thread *t)
{
	const struct cp_firefox_thread *at = w->threads.all.data;

	while (at->thread != t->thread)
		at++;
	return at == t;
}

/* Collects markers.  Losses belong to no thread, and are put into the first. */
static void
collect(const struct firefox *w, const struct cp_firefox_thread *t, markers *to)
{
	const struct cp_profile *p = w->code.p;

	for (size_t i = 0; is_first(w, t) && i < p->states.len; i++) {
		const struct cp_profile_state *s = &p->states.data[i];

		if (s->thread != t->thread || s->thread == CP_NO_ID ||
		    s->tone != CP_TONE_BLOCK)
			continue;
		*cp_vec_push(to) = (struct marker){ s->from, s->to, "off-CPU",
			s->reason != NULL ? s->reason : "", NULL, 0 };
	}
	for (size_t i = t->first; i < t->first + t->n; i++) {
		uint32_t sample = w->threads.order[i];
		const char *labels =
		    p->contexts.data[cp_profile_context_at(p, sample)].labels;

		if (labels != NULL)
			*cp_vec_push(to) = (struct marker){
				p->time.data[sample], p->time.data[sample],
				p->events.data[t->event].name, NULL, labels, 0
			};
	}
	if (t != &w->threads.all.data[0])
		return;
	for (size_t i = 0; i < p->marks.len; i++) {
		const struct cp_profile_mark *m = &p->marks.data[i];

		if (m->kind == CP_SIDE_LOST)
			*cp_vec_push(to) = (struct marker){ m->time, m->time,
				"lost", NULL, NULL, m->count };
	}
}

static void
put_marker_data(struct firefox *w, const struct marker *m)
{
	struct cp_out *out = w->code.out;

	if (m->reason != NULL) {
		cp_out_str(out, "{\"type\":\"coldperf-wait\",");
		cp_put_pair(out, "reason", m->reason);
	} else if (m->labels != NULL) {
		cp_out_str(out, "{\"type\":\"coldperf-sample\",");
		cp_put_pair(out, "labels", m->labels);
	} else {
		cp_out_str(out, "{\"type\":\"coldperf-lost\",");
		cp_put_number(out, "count", m->count);
	}
	cp_out_char(out, '}');
}

enum field { FIELD_NAME, FIELD_START, FIELD_END, FIELD_PHASE, FIELD_DATA };

static void
put_marker_field(struct firefox *w, const struct marker *m, enum field field)
{
	struct cp_out *out = w->code.out;

	switch (field) {
	case FIELD_NAME:
		cp_out_u64(out, cp_strings_add(&w->code.strings, m->name));
		break;
	case FIELD_START: put_ms(out, since_start(w, m->from)); break;
	case FIELD_END:
		if (m->reason != NULL)
			put_ms(out, since_start(w, m->to));
		else
			cp_out_str(out, "null");
		break;
	case FIELD_PHASE:
		cp_out_char(out, m->reason != NULL ? '1' : '0');
		break;
	case FIELD_DATA: put_marker_data(w, m); break;
	}
}

static void
put_markers(struct firefox *w, const struct cp_firefox_thread *t)
{
	static const char *const names[] = { "name", "startTime", "endTime",
		"phase", "data" };
	struct cp_out *out = w->code.out;
	markers all = { 0 };

	collect(w, t, &all);
	cp_out_str(out, "\"markers\":{\"category\":[");
	for (size_t i = 0; i < all.len; i++)
		cp_out_str(out, i != 0 ? ",0" : "0");
	cp_out_str(out, "],");
	for (unsigned f = 0; f < CP_ARRAY_LEN(names); f++) {
		cp_put_key(out, names[f]);
		cp_out_char(out, '[');
		for (size_t i = 0; i < all.len; i++) {
			if (i != 0)
				cp_out_char(out, ',');
			put_marker_field(w, &all.data[i], (enum field)f);
		}
		cp_out_str(out, "],");
	}
	cp_put_number(out, "length", all.len);
	cp_out_char(out, '}');
	cp_vec_free(&all);
}

/* ---------------------------------------------------------------- threads */

static void
put_thread_names(struct firefox *w, const struct cp_firefox_thread *t)
{
	const struct cp_profile *p = w->code.p;
	const struct cp_profile_thread none = { .pid = CP_NO_ID,
		.tid = CP_NO_ID };
	const struct cp_profile_thread *row =
	    t->thread != CP_NO_ID ? &p->threads.data[t->thread] : &none;
	struct cp_out *out = w->code.out;
	struct cp_buf name;

	cp_buf_init(&name, SIZE_MAX / 2);
	if (t->joined != 0)
		cp_buf_printf(
		    &name, "%" PRIu32 " small threads, joined", t->joined);
	else
		cp_buf_str(&name, row->name != NULL ? row->name : "[unknown]");
	if (p->events.len > 1)
		cp_buf_printf(&name, " (%s)", p->events.data[t->event].name);
	cp_put_pair(out, "name", cp_buf_text(&name));
	cp_buf_free(&name);
	cp_out_char(out, ',');
	cp_put_pair(out, "processName",
	    row->process != NULL ? row->process
	    : row->name != NULL  ? row->name
				 : "");
	cp_out_printf(out, ",\"pid\":\"%" PRIu32 "\",\"tid\":%" PRIu32,
	    row->pid != CP_NO_ID ? row->pid : 0,
	    row->tid != CP_NO_ID ? row->tid : 0);
	cp_out_str(out, ",\"isMainThread\":");
	cp_out_str(out, row->pid == row->tid ? "true," : "false,");
}

static void
put_thread(struct firefox *w, const struct cp_firefox_thread *t)
{
	struct cp_out *out = w->code.out;

	cp_out_str(out, "{\"processType\":\"default\","
			"\"processStartupTime\":0,"
			"\"processShutdownTime\":null,\"registerTime\":0,"
			"\"unregisterTime\":null,\"pausedRanges\":[],");
	put_thread_names(w, t);
	put_samples(w, t);
	cp_out_str(out, ",\n");
	put_markers(w, t);
	cp_out_char(out, '}');
}

static void
put_all(struct firefox *w, const struct cp_render_options *opt)
{
	struct cp_out *out = w->code.out;

	cp_out_char(out, '{');
	put_meta(w, opt);
	cp_out_str(out, ",\n");
	cp_firefox_put_libs(&w->code);
	cp_out_str(out, ",\n\"pages\":[],\n\"threads\":[");
	for (size_t i = 0; i < w->threads.all.len; i++) {
		cp_out_str(out, i != 0 ? ",\n" : "\n");
		put_thread(w, &w->threads.all.data[i]);
	}
	cp_out_str(out, "],\n");
	/* Written last, because its strings include names of markers. */
	cp_firefox_put_shared(&w->code);
	cp_out_str(out, "}\n");
}

static void
firefox_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	struct cp_export x = { .report = r, .profile = cp_profile_of(r) };
	struct firefox w = { .x = &x };
	struct cp_gzip z;

	if (x.profile == NULL)
		return;
	cp_gzip_begin(&z, out);
	w.code.p = x.profile;
	w.code.out = &z.out;
	w.start = cp_profile_first_time(x.profile);
	cp_firefox_code_init(&w.code);
	cp_firefox_threads_init(&w.threads, x.profile);
	put_all(&w, opt);
	cp_firefox_threads_free(&w.threads);
	cp_firefox_code_free(&w.code);
	cp_gzip_end(&z, left);
}

const struct cp_renderer cp_renderer_firefox = {
	.name = "firefox",
	.suffix = ".firefox.json.gz",
	.shows = CP_SHOWS(CP_SECTION_PROFILE),
	.labels = true,
	.write = firefox_write,
};
