/* SPDX-License-Identifier: MIT */
/*
 * timeline: samples and states over time.
 *
 * Heat maps have a column a second and rows within it (both are options):
 * samples, and with events of the scheduler, time off the CPU and time in the
 * run queue.  Lanes of threads and of CPUs show their states, from the
 * scheduler's events; without these, the number of their samples.
 * changepoints.h finds where the rate of samples changes; the windows shown can
 * be given to --time.  Samples are those of the event that measures CPU time,
 * if there is one.  Lanes have some hundred buckets; shorter spans are
 * averaged.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>

#include "analyses/common/event.h"
#include "analyses/common/options.h"
#include "analyses/common/record-hint.h"
#include "analyses/timeline/changes.h"
#include "analyses/timeline/lanes.h"
#include "analyses/timeline/series.h"
#include "analyses/waits/watch.h"

#define LANE_BUCKETS 600u
#define FIRST_WIDTH (UINT64_C(1) << 20) /* ns */
#define MAX_ROWS 1000u
/* Slots of a heat map of spans: four days of 20 ms; 192 MiB of them. */
#define MAX_SLOTS (16u << 20)

static void on_span(void *, const struct cp_span *);

static int
timeline_begin(struct cp_run *run, void *state)
{
	struct timeline *t = state;
	uint64_t rows = cp_run_option_u64(run, "rows");

	t->run = run;
	t->column = cp_parse_duration(cp_run_option(run, "column"));
	t->lanes = cp_run_option_u64(run, "lanes");
	t->top = cp_run_option_u64(run, "top");
	if (t->column == 0 || rows == 0 || rows > MAX_ROWS ||
	    t->column % rows != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--column wants a duration, as 1s or 100ms, and --rows "
		    "a number that divides it");
		return CP_FAIL;
	}
	t->rows = (uint32_t)rows;
	t->slot = t->column / rows;
	t->origin = CP_NO_TIME;
	t->samples = cp_tally_new(run);
	cp_buckets_init(&t->sampled_threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->sampled_cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_sched_decoder_init(&t->decoder, run);
	cp_taskstate_init(&t->state, run, on_span, t);
	t->state.names = true;
	return CP_OK;
}

/* ------------------------------------------------------------------ spans */

static void
slots_add(struct timeline *t, struct slots *s, uint64_t from, uint64_t to)
{
	uint64_t a = from / t->slot, b = to / t->slot;

	if (b >= MAX_SLOTS) {
		t->too_long = true;
		return;
	}
	cp_grow_to(t->run, s->part, &s->part_cap, (uint32_t)b);
	cp_grow_to(t->run, s->whole, &s->whole_cap, (uint32_t)b);
	s->n = s->n > b + 1 ? s->n : (uint32_t)b + 1;
	if (a == b) {
		s->part[a] += to - from;
		return;
	}
	s->part[a] += (a + 1) * t->slot - from;
	s->part[b] += to - b * t->slot;
	s->whole[a + 1]++;
	s->whole[b]--;
}

static void
on_span(void *ctx, const struct cp_span *span)
{
	struct timeline *t = ctx;
	const struct cp_sched_thread *thread = span->thread;
	uint64_t from = span->start > t->from ? span->start : t->from;
	uint64_t to = span->end < t->to ? span->end : t->to;
	uint64_t key = (uint64_t)thread->index << 8 | span->kind;

	if (from >= to ||
	    !cp_run_keeps_task(t->run, cp_sched_thread_pid(&t->state, thread),
		thread->tid, cp_sched_thread_name(&t->state, thread)))
		return;
	from = cp_timeline_since(t, from);
	to = cp_timeline_since(t, to);
	cp_buckets_span(&t->threads, key, from, to);
	if (span->kind == CP_SPAN_RUNNING) {
		if (thread->cpu != CP_NO_ID)
			cp_buckets_span(&t->cpus,
			    (uint64_t)thread->cpu << 8 | span->kind, from, to);
		return;
	}
	if (span->kind == CP_SPAN_UNKNOWN)
		return;
	slots_add(t, &t->off, from, to);
	if (span->kind != CP_SPAN_BLOCKED)
		slots_add(t, &t->waiting, from, to);
}

static void
take(struct timeline *t, const struct cp_sched_event *ev)
{
	if (ev->time == CP_NO_TIME)
		return;
	/* Events before the capture's start do not move the axis. */
	if (t->origin == CP_NO_TIME && cp_run_start(t->run) != CP_NO_TIME) {
		t->origin = cp_run_start(t->run);
		cp_run_window(t->run, &t->from, &t->to);
	}
	cp_taskstate_event(&t->state, ev);
}

static int
timeline_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct timeline *t = state;
	struct cp_sched_event ev;
	uint64_t at, event = (uint64_t)s->event << 32;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	cp_sched_decode_sample(&t->decoder, s, &ev);
	take(t, &ev);
	if (!s->kept)
		return CP_OK;
	at = cp_timeline_since(t, s->time);
	cp_tally_add(t->samples, s->event, at / t->slot, 1);
	if (ev.kind != CP_SCHED_NONE)
		return CP_OK; /* then the lanes are made of spans */
	cp_buckets_add(&t->sampled_threads, event | s->tid, at, 1);
	cp_buckets_add(&t->sampled_cpus, event | s->cpu, at, 1);
	return CP_OK;
}

static int
timeline_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct timeline *t = state;
	struct cp_sched_event ev;

	cp_sched_decode_sideband(&t->decoder, e, &ev);
	take(t, &ev);
	return CP_OK;
}

/* ---------------------------------------------------------------- heat maps */

static uint32_t
choose_event(const struct timeline *t)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->samples, &rows);
	uint32_t events = cp_run_evsel_count(t->run), best = CP_NO_ID;
	uint64_t *count = cp_run_alloc(t->run, (events + 1) * sizeof(*count));

	for (size_t i = 0; i < n; i++)
		count[rows[i].a] += rows[i].count;
	for (uint32_t e = 0; e < events; e++) {
		const struct cp_evsel *evsel = cp_run_evsel(t->run, e);

		if (count[e] != 0 && !evsel->dummy &&
		    (best == CP_NO_ID ||
			cp_event_before(evsel, count[e],
			    cp_run_evsel(t->run, best), count[best])))
			best = e;
	}
	return best;
}

static struct cp_grid *
grid_new(const struct timeline *t, struct cp_report *rep, const char *slug,
    const char *title, const char *value, enum cp_column_type type,
    uint64_t slots)
{
	struct cp_axis x = { .name = "from",
		.type = CP_COL_CLOCK,
		.count = (uint32_t)((slots + t->rows - 1) / t->rows),
		.from = t->origin,
		.step = t->column };
	struct cp_axis y = { .name = "offset",
		.type = CP_COL_TIME,
		.count = t->rows,
		.step = t->slot };

	return cp_report_grid(rep, slug, title, &x, &y, value, type);
}

static void
show_samples(struct timeline *t, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->samples, &rows);
	struct cp_grid *grid;
	uint64_t last = 0;
	char title[400];

	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event && rows[i].b > last)
			last = rows[i].b;
	if (last / t->rows >= UINT32_MAX - 1) {
		t->too_long = true;
		return;
	}
	snprintf(title, sizeof(title), "Samples of %.300s over time",
	    cp_event_name(t->run, t->event));
	grid = grid_new(
	    t, rep, "samples", title, "samples", CP_COL_COUNT, last + 1);
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event)
			cp_grid_add(grid, (uint32_t)(rows[i].b / t->rows),
			    (uint32_t)(rows[i].b % t->rows), rows[i].count);
}

static void
show_slots(const struct timeline *t, struct cp_report *rep,
    const struct slots *s, const char *slug, const char *title,
    const char *value)
{
	struct cp_grid *grid =
	    grid_new(t, rep, slug, title, value, CP_COL_TIME, s->n);
	int64_t whole = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		whole += s->whole[i];
		cp_grid_add(grid, i / t->rows, i % t->rows,
		    s->part[i] + (uint64_t)whole * t->slot);
	}
}

/* ------------------------------------------------------------------ finish */

static void
show_notes(const struct timeline *t, struct cp_report *rep)
{
	if (t->steady.n >= 2)
		cp_report_note(rep,
		    "The rate of samples is steady: no change beyond chance "
		    "in %" PRIu32 " pieces of %.0f ms.",
		    t->steady.n, (double)t->steady.width / 1e6);
	if (t->no_clock)
		cp_report_note(rep,
		    "The capture does not tell the wall clock; one recorded "
		    "with perf record -k CLOCK_MONOTONIC does.");
	if (t->hidden != 0)
		cp_report_note(rep, "%zu more threads are not shown (--lanes).",
		    t->hidden);
	if (t->too_long)
		cp_report_note(rep, "The capture is longer than the heat maps "
				    "can show; a larger --column shows it.");
	cp_taskstate_note(&t->state, rep);
	if (!cp_recipe_sampled(t->run, cp_sched_probes, rep) &&
	    cp_sched_source(&t->decoder) == CP_SCHED_BY_NOTHING)
		cp_recipe_note(rep,
		    "switches of threads, so it is not shown when they waited",
		    CP_WAITWATCH_RECIPE);
}

static int
timeline_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct timeline *t = state;
	bool sched;

	cp_taskstate_finish(&t->state);
	sched = cp_sched_source(&t->decoder) != CP_SCHED_BY_NOTHING;
	t->event = choose_event(t);
	if (t->origin == CP_NO_TIME) {
		cp_report_note(rep, "Nothing has a time.");
		return CP_OK;
	}
	if (t->event != CP_NO_ID) {
		cp_report_event(rep, cp_event_name(t->run, t->event));
		cp_timeline_changes(t, rep);
		show_samples(t, rep);
	}
	if (sched && t->off.n != 0)
		show_slots(t, rep, &t->off, "offcpu",
		    "Time of all threads off the CPU", "off the CPU");
	if (sched && t->waiting.n != 0)
		show_slots(t, rep, &t->waiting, "runqueue",
		    "Time of all threads in run queues", "waiting");
	if (sched) {
		cp_timeline_lanes(t, rep, &t->threads, false);
		cp_timeline_lanes(t, rep, &t->cpus, true);
	} else if (t->event != CP_NO_ID) {
		cp_timeline_sampled(t, rep, &t->sampled_threads, false);
		cp_timeline_sampled(t, rep, &t->sampled_cpus, true);
	}
	show_notes(t, rep);
	return CP_OK;
}

static const struct cp_option timeline_options[] = {
	{ "column", "DURATION", "1s", "what a column of the heat maps spans" },
	{ "rows", "N", "50", "rows of a column" },
	{ "lanes", "N", "40", "lanes of threads and of CPUs, 0: all" },
	{ "top", "N", "20", "show the N surest changes, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(timeline) = {
	.abi = CP_ABI,
	.name = "timeline",
	.summary = "when: heat maps of seconds, lanes, and changes of rate",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = timeline_options,
	.state_size = sizeof(struct timeline),
	.begin = timeline_begin,
	.sample = timeline_sample,
	.event = timeline_event,
	.finish = timeline_finish,
};
