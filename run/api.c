/* SPDX-License-Identifier: MIT */
/* api: the functions of coldperf/plugin.h, on top of a session. */
#include "run/api.h"

#include <math.h>
#include <stdarg.h>
#include <time.h>

uint32_t
cp_run_evsel_count(const struct cp_run *run)
{
	return (uint32_t)run->rec.evsels.all.len;
}

const struct cp_evsel *
cp_run_evsel(const struct cp_run *run, uint32_t i)
{
	return &run->rec.evsels.all.data[i]->pub;
}

bool
cp_run_topology(
    const struct cp_run *run, uint32_t cpu, uint32_t *socket, uint32_t *core)
{
	const struct cp_info *info = &run->rec.info;

	if (cpu >= info->cpus.len)
		return false;
	*socket = info->cpus.data[cpu].socket;
	*core = info->cpus.data[cpu].core;
	return *socket != CP_NO_ID && *core != CP_NO_ID;
}

const struct cp_stat *
cp_run_counted(struct cp_run *run)
{
	return run->merged != NULL ? NULL : cp_counts_public(&run->rec.counts);
}

const char *
cp_run_counted_comm(const struct cp_run *run, uint32_t thread)
{
	const struct cp_counts *c = &run->rec.counts;

	return thread < c->threads.len ? c->threads.data[thread].comm : "";
}

const char *
cp_run_string(const struct cp_run *run, cp_string_id id)
{
	return cp_strings_get(&run->session.strings, id);
}

cp_string_id
cp_run_intern(struct cp_run *run, const char *s)
{
	return cp_strings_add(&run->session.strings, s);
}

const struct cp_dso *
cp_run_dso(const struct cp_run *run, uint32_t id)
{
	const struct cp_dso_info *d =
	    id != 0 ? cp_dsos_at(&run->session.dsos, id) : NULL;

	return d != NULL ? &d->pub : NULL;
}

uint32_t
cp_run_dso_count(const struct cp_run *run)
{
	return (uint32_t)run->session.dsos.all.len;
}

const char *
cp_run_cgroup(const struct cp_run *run, uint64_t id)
{
	cp_string_id path =
	    (id & CP_CGROUP_OF_PATH) != 0 ? (cp_string_id)id : 0;

	return path != 0 ? cp_run_string(run, path) : NULL;
}

void
cp_run_diag(struct cp_run *run, enum cp_diag_id id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cp_diag_v(run->diags, id, fmt, ap);
	va_end(ap);
}

static void
say_slip(void *run, const char *text)
{
	cp_run_diag(run, CP_D_SLIP, "%s", text);
}

void
cp_run_hear_slips(struct cp_run *run, struct cp_report *rep)
{
	rep->slip = say_slip;
	rep->slip_ctx = run;
}

struct cp_report *
cp_run_report(const struct cp_run *run)
{
	return run->report;
}

void
cp_run_fail(struct cp_run *run, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cp_diag_v(run->diags, CP_D_GATE, fmt, ap);
	va_end(ap);
}

void
cp_run_undecided(struct cp_run *run, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cp_diag_v(run->diags, CP_D_GATE_UNDECIDED, fmt, ap);
	va_end(ap);
}

void
cp_run_wants(struct cp_run *run, uint32_t wants)
{
	if (run->current != NULL)
		run->current->wants = wants;
}

void *
cp_run_alloc(struct cp_run *run, size_t n)
{
	return cp_arena_alloc(&run->arena, n);
}

enum cp_scope
cp_run_scope(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_run_evsel(run, i)->on_exec)
			return CP_SCOPE_TASKS;
	return (enum cp_scope)run->rec.info.scope;
}

const char *
cp_run_command(const struct cp_run *run)
{
	return run->options->analysis;
}

double
cp_run_tree_share(const struct cp_run *run)
{
	return run->options->tree_share;
}

bool
cp_run_sample_labels(const struct cp_run *run)
{
	return run->options->labels;
}

double
cp_run_code_share(const struct cp_run *run)
{
	return run->options->code_share;
}

void
cp_run_free(struct cp_run *run, void *p, size_t n)
{
	cp_arena_drop(&run->arena, p, n);
}

/* ---------------------------------------------------------------- options */

const char *
cp_run_option(const struct cp_run *run, const char *name)
{
	const struct cp_analysis *a = run->current->analysis;
	const struct cp_option *o = a->options;
	const char *value = NULL;

	for (; o != NULL && o->name != NULL; o++)
		if (strcmp(o->name, name) == 0)
			value = o->fallback;
	if (strcmp(run->options->analysis, a->name) != 0)
		return value; /* the options given are for another analysis */
	for (size_t i = 0; i < run->options->given.len; i++)
		if (strcmp(run->options->given.data[i].name, name) == 0)
			value = run->options->given.data[i].value;
	return value;
}

bool
cp_run_option_bool(const struct cp_run *run, const char *name)
{
	const char *v = cp_run_option(run, name);

	return v != NULL && strcmp(v, "no") != 0 && strcmp(v, "0") != 0;
}

static void
not_a_number(const struct cp_run *run, const char *name, const char *value)
{
	cp_diag(run->diags, CP_D_USAGE, "--%s wants a number, not `%s'", name,
	    value);
}

uint64_t
cp_run_option_u64(const struct cp_run *run, const char *name)
{
	const char *v = cp_run_option(run, name);
	char *end;
	uint64_t n;

	if (v == NULL)
		return 0;
	n = strtoull(v, &end, 10);
	if (*v < '0' || *v > '9' || *end != '\0')
		not_a_number(run, name, v);
	return n;
}

double
cp_run_option_double(const struct cp_run *run, const char *name)
{
	const char *v = cp_run_option(run, name);
	char *end;
	double d;

	if (v == NULL)
		return 0;
	d = strtod(v, &end);
	if (end != v && isfinite(d) && (*end == '\0' || strcmp(end, "%") == 0))
		return d;
	not_a_number(run, name, v);
	return 0;
}

const struct cp_pattern *
cp_run_option_pattern(struct cp_run *run, const char *name)
{
	const char *v = cp_run_option(run, name);
	struct cp_pattern *p;

	if (v == NULL)
		return NULL;
	p = cp_arena_alloc(&run->arena, sizeof(*p));
	if (cp_pattern_init(p, v) != CP_OK) {
		cp_diag(run->diags, CP_D_USAGE,
		    "--%s: %.80s is no regular expression", name, v);
		return NULL;
	}
	*cp_vec_push(&run->patterns) = p;
	return p;
}

const char *
cp_run_weight_name(const struct cp_run *run)
{
	static const char *const names[] = { [CP_WEIGHT_PERIOD] = "period",
		[CP_WEIGHT_SAMPLES] = "samples",
		[CP_WEIGHT_TIME] = "time",
		[CP_WEIGHT_LATENCY] = "latency" };

	return run->options->weight == CP_WEIGHT_FIELD
		   ? run->options->weight_field
		   : names[run->options->weight];
}

bool
cp_run_merged(const struct cp_run *run)
{
	return run->merged != NULL;
}

const struct cp_quality *
cp_run_quality(const struct cp_run *run)
{
	return &run->quality;
}

uint64_t
cp_run_lost(const struct cp_run *run)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_quality *q = &run->origins.data[i].quality;

		lost = cp_sum(lost, CP_MAX(q->lost, q->lost_samples));
	}
	return run->origins.len != 0
		   ? lost
		   : CP_MAX(run->quality.lost, run->quality.lost_samples);
}

uint64_t
cp_run_start(const struct cp_run *run)
{
	/* Tables of one capture tell when that began. */
	if (run->tables != NULL && run->origins.len == 1 &&
	    run->origins.data[0].start != CP_NO_TIME)
		return run->origins.data[0].start;
	if (run->rec.info.first_time != CP_NO_TIME)
		return run->rec.info.first_time;
	return run->started ? run->start : CP_NO_TIME;
}

bool
cp_run_wall_clock(const struct cp_run *run, uint64_t t, char *buf, size_t size)
{
	uint64_t ns;
	struct tm tm;
	time_t secs;
	size_t n;

	if (t == CP_NO_TIME || !cp_info_wall_clock(&run->rec.info, t, &ns))
		return false;
	secs = (time_t)(ns / 1000000000u);
	if (gmtime_r(&secs, &tm) == NULL)
		return false;
	n = strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(
	    buf + n, size - n, ".%03u UTC", (unsigned)(ns / 1000000u % 1000));
	return true;
}

/* ----------------------------------------------------------------- stacks */

uint32_t
cp_stack_count(const struct cp_run *run)
{
	return (uint32_t)run->session.stacks.nodes.len;
}

cp_stack_id
cp_stack_parent(const struct cp_run *run, cp_stack_id id)
{
	return run->session.stacks.nodes.data[id].parent;
}

cp_frame_id
cp_stack_frame(const struct cp_run *run, cp_stack_id id)
{
	return run->session.stacks.nodes.data[id].frame;
}

const struct cp_frame *
cp_frame_get(const struct cp_run *run, cp_frame_id id)
{
	return &run->session.stacks.frames.data[id];
}

struct cp_tally *
cp_tally_new(struct cp_run *run)
{
	struct cp_tally *t = cp_arena_alloc(&run->arena, sizeof(*t));

	*cp_vec_push(&run->tallies) = t;
	return t;
}

const struct cp_tally *
cp_run_leaves(struct cp_run *run)
{
	if (run->leaves == NULL)
		run->leaves = cp_tally_new(run);
	return run->leaves;
}

struct cp_spill *
cp_spill_new(struct cp_run *run)
{
	struct cp_spill *s = cp_arena_alloc(&run->arena, sizeof(*s));

	cp_spill_init(s);
	*cp_vec_push(&run->spills) = s;
	return s;
}

/* ------------------------------------------------------------------ facts */

static void
fact(struct cp_run *run, const char *key, const char *value)
{
	*cp_vec_push(&run->facts) = (struct cp_fact){ .group = "file",
		.key = key,
		.value = cp_arena_strndup(&run->arena, value, strlen(value)) };
}

/* Is it known what was chosen of the capture?  No: "..." stands for it. */
static bool
is_told(const struct cp_report_origin *o)
{
	return o->quality.samples_kept == o->quality.samples ||
	       (o->filter[0] != '\0' && strcmp(o->filter, "...") != 0);
}

/*
 * A snapshot's tables tell of each capture who recorded it, and what was chosen
 * of that.
 */
static void
origin_facts(struct cp_run *run)
{
	char text[24];

	if (run->tables == NULL)
		return;
	snprintf(text, sizeof(text), "%zu", run->origins.len);
	fact(run, "captures", text);
	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_report_origin *o = &run->origins.data[i];

		if (is_told(o) && o->command[0] != '\0')
			fact(run, "command", o->command);
	}
}

static void
facts_make(struct cp_run *run)
{
	const struct cp_info *info = &run->rec.info;
	char text[64];
	bool snapshot;

	fact(run, "path",
	    run->merged != NULL ? run->merged->first : run->capture.in.path);
	/*
	 * Adds facts on the file.  For a snapshot also the container that it
	 * was made of; the size is that of the original capture.
	 */
	snapshot = run->capture.was.version != 0;
	fact(run, "container", snapshot ? "snapshot" : run->rec.container);
	if (snapshot)
		fact(run, "snapshot-of", run->capture.reader->name);
	snprintf(text, sizeof(text), "%" PRIu64, run->quality.bytes_total);
	fact(run, "size", text);
	fact(run, "byte-order", run->rec.swap ? "foreign" : "native");
	if (cp_run_wall_clock(run, run->quality.first_time, text, sizeof(text)))
		fact(run, "start", text);
	origin_facts(run);
	for (size_t i = 0; i < info->facts.len; i++)
		*cp_vec_push(&run->facts) = info->facts.data[i];
	run->facts_made = true;
}

size_t
cp_run_facts(const struct cp_run *run, const struct cp_fact **out)
{
	if (!run->facts_made)
		facts_make((struct cp_run *)(uintptr_t)run);
	*out = run->facts.data;
	return run->facts.len;
}

const char *
cp_run_fact(const struct cp_run *run, const char *key)
{
	const struct cp_fact *f;
	size_t n = cp_run_facts(run, &f);

	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].key, key) == 0)
			return f[i].value;
	return NULL;
}
