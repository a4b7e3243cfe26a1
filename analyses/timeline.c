/* SPDX-License-Identifier: MIT */
/*
 * timeline: samples and states over time.
 *
 * Heat maps (heat.h) have columns that fit the capture and rows within them
 * (both are options): samples, and with events of the scheduler, time off the
 * CPU and time in the run queue.  Lanes of threads and of CPUs show their
 * states, from the scheduler's events; without these, the number of their
 * samples. changepoints.h finds where the rate of samples changes; the windows
 * shown can be given to --time.  Samples are those of the event that measures
 * CPU time, if there is one.  Lanes have some hundred buckets; shorter spans
 * are averaged.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/options.h"
#include "analyses/common/record-hint.h"
#include "analyses/tasks/notes.h"
#include "analyses/timeline/timeline.h"
#include "analyses/waits/watch.h"

#define LANE_BUCKETS 600u
#define FIRST_WIDTH (UINT64_C(1) << 20) /* ns */
#define MAX_ROWS 1000u

static void on_span(void *, const struct cp_span *);

static int
timeline_begin(struct cp_run *run, void *state)
{
	struct timeline *t = state;
	uint64_t rows = cp_run_option_u64(run, "rows");
	const char *wanted = cp_run_option(run, "column");
	uint64_t column = wanted == NULL ? 0 : cp_parse_duration(wanted);

	t->run = run;
	t->embedded = strcmp(cp_run_command(run), "timeline") != 0;
	t->lanes = cp_run_option_u64(run, "lanes");
	t->top = cp_run_option_u64(run, "top");
	if ((wanted != NULL && column == 0) || rows == 0 || rows > MAX_ROWS ||
	    column % rows != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--column wants a duration, as 1s or 100ms, and --rows "
		    "a number that divides it");
		return CP_FAIL;
	}
	cp_heat_init(&t->heat, run, column, (uint32_t)rows);
	t->origin = CP_NO_TIME;
	cp_index_init(&t->sampled, run);
	cp_buckets_init(&t->sampled_threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->sampled_cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	if (t->embedded)
		cp_run_wants(run, CP_WANT_SAMPLES);
	else
		t->state = cp_run_spans(run, on_span, t);
	return CP_OK;
}

/* ------------------------------------------------------------------ spans */

/* Events before the capture's start do not move the axis. */
static void
begin_axis(struct timeline *t)
{
	if (t->origin == CP_NO_TIME)
		t->origin = cp_run_start(t->run);
}

static void
on_span(void *ctx, const struct cp_span *span)
{
	struct timeline *t = ctx;
	const struct cp_sched_thread *thread = span->thread;
	uint64_t key = (uint64_t)thread->index << 8 | span->kind, from, to;

	begin_axis(t);
	if (!cp_run_keeps_cpu(t->run, thread->cpu) ||
	    !cp_run_keeps_task(t->run, cp_sched_thread_pid(t->state, thread),
		thread->tid, cp_sched_thread_name(t->state, thread)))
		return;
	from = cp_timeline_since(t, span->start);
	to = cp_timeline_since(t, span->end);
	cp_buckets_span(&t->threads, key, from, to);
	if (span->kind == CP_SPAN_RUNNING) {
		if (thread->cpu != CP_NO_ID)
			cp_buckets_span(&t->cpus,
			    (uint64_t)thread->cpu << 8 | span->kind, from, to);
		return;
	}
	if (span->kind == CP_SPAN_UNKNOWN)
		return;
	cp_heat_span(&t->heat, &t->heat.off, from, to);
	if (span->kind != CP_SPAN_BLOCKED)
		cp_heat_span(&t->heat, &t->heat.waiting, from, to);
}

static int
timeline_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct timeline *t = state;
	uint64_t at, event = (uint64_t)s->event << 32;

	if (cp_event_moment(s) == CP_NO_TIME)
		return CP_OK;
	if (t->embedded) {
		/*
		 * Counts a sample where the rate of samples is all that is
		 * shown.
		 */
		begin_axis(t);
		cp_heat_sample(
		    &t->heat, s->event, cp_timeline_since(t, s->time));
		return CP_OK;
	}
	begin_axis(t);
	if (!s->kept)
		return CP_OK;
	at = cp_timeline_since(t, s->time);
	cp_heat_sample(&t->heat, s->event, at);
	if (t->state->event.kind != CP_SCHED_NONE)
		return CP_OK; /* then the lanes are made of spans */
	cp_buckets_add(&t->sampled_threads,
	    event | cp_index_put(&t->sampled, s->tid, s->comm), at, 1);
	cp_buckets_add(&t->sampled_cpus, event | s->cpu, at, 1);
	return CP_OK;
}

static uint32_t
choose_event(const struct timeline *t)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->heat.samples, &rows);
	uint32_t events = cp_run_evsel_count(t->run), best = CP_NO_ID;
	uint64_t *count = cp_run_alloc(t->run, (events + 1) * sizeof(*count));

	for (size_t i = 0; i < n; i++)
		count[rows[i].a] += rows[i].weight;
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

/* ------------------------------------------------------------------ finish */

static void
show_notes(const struct timeline *t, struct cp_report *rep)
{
	struct cp_word width;

	if (t->few)
		cp_report_note(
		    rep, "Too few samples to tell whether their rate changes.");
	if (t->steady.n != 0)
		cp_report_note(rep,
		    "The rate of samples is steady: no change beyond chance "
		    "in %" PRIu32 " pieces of %s.",
		    t->steady.n, cp_word_time(&width, t->steady.width));
	if (t->no_clock)
		cp_report_note(rep,
		    "The capture does not tell the wall clock; one recorded "
		    "with perf record -k CLOCK_MONOTONIC does.");
	if (t->hidden != 0)
		cp_report_note(rep, "%zu more threads are not shown (--lanes).",
		    t->hidden);
	if (t->heat.too_long)
		cp_report_note(rep, "The capture is longer than the heat maps "
				    "can show; a larger --column shows it.");
	cp_spans_note(t->state, rep);
	if (!cp_recipe_sampled(t->run, cp_sched_probes, rep) &&
	    cp_spans_source(t->state) == CP_SCHED_BY_NOTHING)
		cp_recipe_note(rep,
		    "switches of threads, so it is not shown when they waited",
		    CP_ADVICE_offcpu);
}

static int
timeline_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct timeline *t = state;
	struct cp_heat *heat = &t->heat;
	bool sched;

	if (t->embedded) {
		cp_heat_finish(&t->heat);
		t->event = choose_event(t);
		if (t->origin != CP_NO_TIME && t->event != CP_NO_ID)
			cp_timeline_changes(t, rep);
		return CP_OK;
	}
	begin_axis(t);
	cp_heat_finish(heat);
	sched = cp_spans_source(t->state) != CP_SCHED_BY_NOTHING;
	t->event = choose_event(t);
	if (t->origin == CP_NO_TIME) {
		cp_report_note(rep, "Nothing has a time.");
		return CP_OK;
	}
	if (t->event != CP_NO_ID) {
		cp_report_event(rep, cp_event_name(t->run, t->event));
		cp_timeline_changes(t, rep);
		cp_heat_show_samples(heat, rep, t->event, t->origin);
	}
	if (sched && heat->off.n != 0)
		cp_heat_show_slots(heat, rep, &heat->off, t->origin, "offcpu",
		    "Time of all threads off the CPU", "off the CPU");
	if (sched && heat->waiting.n != 0)
		cp_heat_show_slots(heat, rep, &heat->waiting, t->origin,
		    "runqueue", "Time of all threads in run queues", "waiting");
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
	{ "column", "DURATION", NULL,
	    "what a column of the heat maps spans; else it fits the capture" },
	{ "rows", "N", "50", "rows of a column" },
	{ "lanes", "N", "40", "lanes of threads and of CPUs, 0: all" },
	{ "top", "N", "20", "show the N surest changes, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(timeline) = {
	.abi = CP_ABI,
	.name = "timeline",
	.summary = "when: heat maps over time, lanes, and changes of rate",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = timeline_options,
	.state_size = sizeof(struct timeline),
	.begin = timeline_begin,
	.sample = timeline_sample,
	.finish = timeline_finish,
};
