/* SPDX-License-Identifier: MIT */
/*
 * info: what was recorded, where and how.
 *
 * Shows the capture's description of itself, its events, the span of its
 * samples, and the objects of samples with build IDs and the source of their
 * names.  Uses innermost frames only, except for missing files; objects without
 * a sample are counted, not listed.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/losses.h"
#include "analyses/info/errand.h"
#include "analyses/info/missing-files.h"

struct info {
	struct cp_tally *tally; /* 0, stack */
};

struct object {
	struct cp_run *run;
	uint32_t dso;
	uint64_t samples, named;
	bool calls; /* its code occurs in stacks, but never innermost */
	/* the first symbol found in it, or NULL */
	const struct cp_symbol *first;
};

static int
info_begin(struct cp_run *run, void *state)
{
	struct info *in = state;

	in->tally = cp_tally_new(run);
	if (cp_run_option_bool(run, "objects"))
		cp_run_wants(
		    run, CP_WANT_SAMPLES | CP_WANT_NAMES | CP_WANT_STACKS);
	return CP_OK;
}

static int
info_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct info *in = state;

	cp_tally_add(in->tally, 0, s->stack, s->weight);
	return CP_OK;
}

static void
show_facts(struct cp_run *run, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("About"),
		CP_TEXT("What"), CP_TEXT("Value") };
	const struct cp_fact *facts;
	size_t n = cp_run_facts(run, &facts);
	struct cp_table *t;

	if (n == 0)
		return;
	t = cp_report_table(rep, "facts", "What the capture says of itself",
	    CP_COLUMNS(columns));
	for (size_t i = 0; i < n; i++) {
		cp_table_add(t, facts[i].group, facts[i].key, facts[i].value);
	}
}

static void
type_cell(struct cp_table *t, uint32_t type)
{
	static const char *const words[] = { "hardware", "software",
		"tracepoint", "hw-cache", "raw", "breakpoint" };
	char text[32];

	if (type < sizeof(words) / sizeof(words[0])) {
		cp_table_cells(t, words[type]);
		return;
	}
	snprintf(text, sizeof(text), "pmu %" PRIu32, type);
	cp_table_cells(t, text);
}

static void
sampling_cell(struct cp_table *t, const struct cp_evsel *e)
{
	char text[64] = "counted";

	if (e->freq)
		snprintf(
		    text, sizeof(text), "%" PRIu64 " Hz", e->sample_period);
	else if (e->sample_period != 0)
		snprintf(
		    text, sizeof(text), "every %" PRIu64, e->sample_period);
	cp_table_cells(t, text);
}

static void
show_events(struct cp_run *run, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Event"),
		CP_TEXT("Type"), CP_ADDRESS("Config"), CP_TEXT("Sampling"),
		CP_COUNT("Samples"), CP_COUNT("Period"), CP_COUNT("Lost"),
		CP_COUNT("Lost samples"), CP_COUNT("Throttled") };
	struct cp_table *t;

	if (cp_run_evsel_count(run) == 0)
		return;
	t = cp_report_table(rep, "events", "Events", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		const struct cp_evsel *e = cp_run_evsel(run, i);

		cp_table_add(t, e->name);
		type_cell(t, e->type);
		cp_table_cells(t, e->config);
		sampling_cell(t, e);
		cp_table_cells(t, e->samples, e->period, e->lost,
		    e->lost_samples, e->throttled);
	}
}

static void
show_span(struct cp_run *run, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(run);

	if (q->first_time == CP_NO_TIME || q->last_time < q->first_time)
		return;
	cp_report_scalar(
	    rep, "span", "first_sample", CP_COL_CLOCK, q->first_time);
	cp_report_scalar(
	    rep, "span", "last_sample", CP_COL_CLOCK, q->last_time);
	cp_report_scalar(
	    rep, "span", "length", CP_COL_TIME, q->last_time - q->first_time);
}

static int
compare_objects(const void *va, const void *vb)
{
	const struct object *a = va, *b = vb;

	return cp_word_compare(a->run, a->samples, a->dso, b->samples, b->dso);
}

/* Counts by dso id; 0 stands for "in no object". */
static struct object *
count_objects(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    uint64_t *samples)
{
	size_t count = (size_t)cp_run_dso_count(run) + 1;
	struct object *all = cp_run_alloc(run, count * sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = (struct object){ .run = run, .dso = (uint32_t)i };
	for (size_t i = 0; i < n; i++) {
		cp_frame_id id = cp_stack_frame(run, (cp_stack_id)rows[i].b);
		const struct cp_symbol *sym =
		    id != 0 ? cp_frame_symbol(run, id) : NULL;
		struct object *o =
		    &all[id != 0 ? cp_frame_get(run, id)->dso : 0];

		*samples += rows[i].count;
		o->samples += rows[i].count;
		if (sym != NULL)
			o->named += rows[i].count;
		if (o->first == NULL)
			o->first = sym;
	}
	return all;
}

/* Shows the file that names came from, or why there are none. */
static void
found_cells(struct cp_table *t, const struct object *o)
{
	struct cp_dso_state s = cp_run_dso_state(o->run, o->dso);

	cp_table_cells(t, s.symbols);
	if (s.path != NULL)
		cp_table_cells(t, s.path);
	else if (s.symbolizer != NULL)
		cp_table_cells(t, s.symbolizer);
	else
		cp_table_cells(t, cp_word_unnamed(o->run, o->dso));
}

static void
object_show(struct cp_table *t, const struct object *o, uint64_t samples)
{
	static const char *const kinds[] = { "file", "kernel", "module", "bpf",
		"vdso", "anonymous", "jitdump" };
	const struct cp_dso *d =
	    o->dso != 0 ? cp_run_dso(o->run, o->dso) : NULL;

	cp_table_add(t, cp_count_cell(o->samples, cp_counted(samples, 1)),
	    o->samples, cp_share((double)o->named, (double)o->samples),
	    o->first != NULL ? cp_word_source(o->first->source) : "",
	    o->first != NULL ? cp_word_trust(o->first->trust) : "",
	    d != NULL && d->kind < sizeof(kinds) / sizeof(kinds[0])
		? kinds[d->kind]
		: "",
	    cp_word_build_id(o->run, o->dso), cp_word_path(o->run, o->dso));
	found_cells(t, o);
}

static void
errand_show(
    struct cp_run *run, const struct cp_errand *e, struct cp_report *rep)
{
	const char *command = cp_errand_command(run, e);

	if (command == NULL)
		return;
	cp_report_scalar_text(rep, "collect", "on the host", command);
	cp_report_scalar_text(rep, "collect", "then here",
	    cp_lack_snapshot(run)
		? "coldperf snapshot --resymbolize --symbols symbols.tar.gz"
		: "--symbols symbols.tar.gz");
	if (e->others != 0)
		cp_report_note(rep, "%u more %s missing", e->others,
		    e->others == 1 ? "file is" : "files are");
}

/* Shows which files of each object are available, and how to get the others. */
static void
show_missing(struct cp_run *run, struct cp_report *rep,
    const struct object *all, size_t count, uint64_t samples)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_TEXT("Object"), CP_TEXT("Build ID"),
		CP_TEXT("Code"), CP_TEXT("Symbols"), CP_TEXT("Debug"),
		CP_TEXT("Missing"), CP_TEXT("Command") };
	const bool snapshot = cp_lack_snapshot(run);
	struct cp_table *t = cp_report_table(rep, "missing",
	    snapshot ? "Names that the snapshot has, and how to get others"
		     : "Files found, and commands to run on the host",
	    CP_COLUMNS(columns));
	struct cp_errand all_files = { .n = 0 };

	for (size_t i = 0; i < count; i++) {
		bool met = all[i].samples != 0 || all[i].calls;
		struct cp_lack l;

		/* A snapshot keeps no names of other objects. */
		if (all[i].dso == 0 || (snapshot && !met))
			continue;
		l = snapshot ? cp_lack_of_snapshot(run, all[i].dso)
			     : cp_lack_of(run, all[i].dso);
		cp_table_add(t,
		    cp_count_cell(all[i].samples, cp_counted(samples, 1)),
		    all[i].samples, cp_word_path(run, all[i].dso),
		    cp_word_build_id(run, all[i].dso), l.code, l.symbols,
		    l.debug, l.what, l.command);
		if (l.take != NULL && met)
			cp_errand_add(run, &all_files, l.take);
	}
	errand_show(run, &all_files, rep);
}

static void
show_objects(struct cp_run *run, const struct info *in, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_SHARE("Named"), CP_TEXT("Source"),
		CP_TEXT("Trust"), CP_TEXT("Kind"), CP_TEXT("Build ID"),
		CP_TEXT("Object"), CP_COUNT("Symbols"), CP_TEXT("Found") };
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(in->tally, &rows);
	size_t count = (size_t)cp_run_dso_count(run) + 1, i;
	uint64_t samples = 0, without = 0;
	struct cp_named named;
	struct object *all;
	struct cp_table *t;
	const bool *calls;

	cp_rows_name(run, rows, n);
	all = count_objects(run, rows, n, &samples);
	calls = cp_lack_callers(run, rows, n);
	for (i = 0; i < count; i++)
		all[i].calls = calls[i];
	qsort(all, count, sizeof(*all), compare_objects);
	if (samples == 0) {
		cp_report_note(rep, "no samples: no object is listed");
		return;
	}
	t = cp_report_table(rep, "objects", "Objects that samples fell in",
	    CP_COLUMNS(columns));
	for (i = 0; i < count && all[i].samples != 0; i++)
		object_show(t, &all[i], samples);
	named = cp_named_count(run, rows, n, NULL, NULL);
	cp_mangled_note(&named, rep);
	if (cp_run_option_bool(run, "objects"))
		show_missing(run, rep, all, count, samples);
	for (; i < count; i++)
		without += all[i].dso != 0;
	if (without != 0)
		cp_report_note(rep, "%zu known %s no samples", (size_t)without,
		    without == 1 ? "object has" : "objects have");
}

static int
info_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	show_facts(run, rep);
	show_events(run, rep);
	show_span(run, rep);
	show_objects(run, state, rep);
	return CP_OK;
}

static const struct cp_option info_options[] = {
	{ "objects", NULL, NULL,
	    "every object: files found, files missing, how to get them" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(info) = {
	.abi = CP_ABI,
	.name = "info",
	.summary = "what was recorded, where and how",
	.wants = CP_WANT_SAMPLES | CP_WANT_NAMES,
	.options = info_options,
	.state_size = sizeof(struct info),
	.begin = info_begin,
	.sample = info_sample,
	.finish = info_finish,
};
