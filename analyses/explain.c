/* SPDX-License-Identifier: MIT */
/*
 * explain: why was it slow then?  Slow windows are given (--time, --slow), or
 * found by the rate of samples, and compared with the rest of the capture:
 * functions, commands, CPUs, control groups, faults, waits and who ended them.
 * What differs more than chance is said in at most seven sentences.
 */
#include <coldperf/spans.h>

#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/record-hint.h"
#include "analyses/explain/explain.h"
#include "analyses/tasks/notes.h"

#define BIN UINT64_C(1000000) /* ns, of a short capture */
/* Returns how long after the first moment of the capture it is. */
static uint64_t
since(struct cp_explain *e, uint64_t time)
{
	if (e->origin == CP_NO_TIME) {
		e->origin = cp_run_start(e->run);
		if (e->origin == CP_NO_TIME || e->origin > time)
			e->origin = time;
		e->last = e->origin;
	}
	e->last = time > e->last ? time : e->last;
	return time > e->origin ? time - e->origin : 0;
}

static uint64_t
key(enum cp_explain_kind kind, uint32_t id)
{
	return (uint64_t)kind << 32 | id;
}

static void
add_span(struct cp_explain *e, enum cp_explain_kind kind, uint32_t id,
    const struct cp_span *s)
{
	uint64_t end = since(e, s->end);

	cp_buckets_span(&e->buckets, key(kind, id), since(e, s->start), end);
	cp_buckets_add(&e->buckets, key(kind, id) | CP_EXPLAIN_TIMES, end, 1);
}

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct cp_explain *e = ctx;
	const struct cp_sched_thread *t = s->thread;
	bool kept = cp_sched_thread_kept(e->state, t);
	bool ready = s->kind == CP_SPAN_PREEMPTED || s->kind == CP_SPAN_WOKEN;

	if (s->end <= s->start || !cp_run_keeps_cpu(e->run, t->cpu))
		return;
	if (s->kind == CP_SPAN_RUNNING)
		add_span(e, CP_EXPLAIN_RAN, t->index, s);
	if (ready && e->by == CP_SLOW_RUNQ)
		add_span(e, CP_EXPLAIN_QUEUE, 0, s);
	if (ready && kept)
		add_span(e, CP_EXPLAIN_READY, 0, s);
	if (s->kind != CP_SPAN_BLOCKED || !kept || s->after_loss ||
	    t->letter == 'N')
		return;
	add_span(e, CP_EXPLAIN_WAIT, t->stack, s);
	if (s->woken)
		add_span(e, CP_EXPLAIN_WAKER,
		    t->waker.interrupt ? CP_NO_ID : t->waker.thread, s);
	if (e->by == CP_SLOW_WAIT && (double)(s->end - s->start) > e->least)
		cp_explain_window_add(e, s->start, s->end);
}

static void
on_pair(void *ctx, const struct cp_pairs *p, const struct cp_lost_wait *w)
{
	struct cp_explain *e = ctx;
	const struct cp_recipe *r = &p->recipes.all[cp_pair_recipe(p, w->row)];

	if (strcmp(r->name, e->recipe) == 0 &&
	    (double)(w->end - w->start) > e->least)
		cp_explain_window_add(e, w->start, w->end);
}

static int
explain_begin(struct cp_run *run, void *state)
{
	struct cp_explain *e = state;

	e->run = run;
	e->origin = e->last = CP_NO_TIME;
	e->event = CP_NO_ID;
	if (cp_explain_slow_parse(e) != CP_OK ||
	    cp_waitclasses_init(
		&e->classes, run, cp_run_option(run, "wait-classes")) != CP_OK)
		return CP_FAIL;
	if (e->by == CP_SLOW_PAIR) {
		if (cp_pairs_init(&e->pairs, run) != CP_OK)
			return CP_FAIL;
		e->pairs.also = on_pair;
		e->pairs.also_ctx = e;
		e->pairs.waits.outside = true;
	}
	e->state = cp_run_spans_whole(run, on_span, e);
	cp_buckets_init(&e->buckets, run, CP_EXPLAIN_BINS, BIN);
	cp_index_init(&e->cgroups, run);
	return CP_OK;
}

/* A page fault, by the kernel's own counters. */
static bool
counts_faults(const struct cp_evsel *e)
{
	return e->type == 1 /* PERF_TYPE_SOFTWARE */ &&
	       (e->config == 2 || e->config == 5 || e->config == 6);
}

static void
add_sample(struct cp_explain *e, const struct cp_sample *s)
{
	const struct cp_evsel *ev = cp_run_evsel(e->run, s->evsel);
	uint64_t at = since(e, s->time);
	bool kept = cp_run_keeps_task(e->run, s->pid, s->tid, s->comm) &&
		    cp_run_keeps_event(e->run, s->evsel);

	if (e->event == CP_NO_ID)
		e->event = cp_event_of_time(e->run);
	if (kept && counts_faults(ev))
		cp_buckets_add(&e->buckets, key(CP_EXPLAIN_FAULTS, s->event),
		    at, s->period);
	if (s->event != e->event || s->tid == 0 || s->tid == CP_NO_ID)
		return;
	cp_buckets_add(&e->buckets, key(CP_EXPLAIN_SAMPLED, s->comm), at, 1);
	if (!kept)
		return;
	cp_buckets_add(&e->buckets, key(CP_EXPLAIN_ALL, 0), at, 1);
	cp_buckets_add(&e->buckets, key(CP_EXPLAIN_STACK, s->stack), at, 1);
	if (s->cpu != CP_NO_ID)
		cp_buckets_add(&e->buckets, key(CP_EXPLAIN_CPU, s->cpu), at, 1);
	if (s->cgroup != 0)
		cp_buckets_add(&e->buckets,
		    key(CP_EXPLAIN_CGROUP,
			cp_index_put(&e->cgroups, s->cgroup, 0)),
		    at, 1);
}

static int
explain_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_explain *e = state;

	if (cp_event_moment(s) != CP_NO_TIME &&
	    e->state->event.kind == CP_SCHED_NONE &&
	    cp_run_keeps_cpu(run, s->cpu))
		add_sample(e, s);
	return e->by == CP_SLOW_PAIR ? cp_pairs_sample(&e->pairs, s) : CP_OK;
}

static int
explain_event(struct cp_run *run, void *state, const struct cp_sideband *b)
{
	struct cp_explain *e = state;

	(void)run;
	if (e->by == CP_SLOW_PAIR)
		cp_pairs_sideband(&e->pairs, b);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

static void
name_stacks(struct cp_explain *e)
{
	cp_stack_id *all =
	    cp_run_alloc(e->run, (e->n_counted + 1) * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < e->n_counted; i++)
		if (e->counted[i].a >> 32 == CP_EXPLAIN_STACK ||
		    e->counted[i].a >> 32 == CP_EXPLAIN_WAIT)
			all[n++] = (cp_stack_id)e->counted[i].a;
	cp_run_name(e->run, all, n);
}

static int
explain_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_explain *e = state;
	bool sampled = cp_recipe_sampled(run, cp_sched_probes, rep);
	uint64_t from, to;
	const char *why;

	cp_run_window(run, &from, &to);
	if (e->by == CP_SLOW_FOUND && (from != 0 || to != UINT64_MAX))
		e->by = CP_SLOW_TIME;
	if (e->by == CP_SLOW_PAIR)
		cp_pairs_finish(&e->pairs);
	if (e->event != CP_NO_ID)
		cp_report_event(rep, cp_event_name(run, e->event));
	why = cp_explain_windows(e);
	if (why == NULL) {
		name_stacks(e);
		cp_explain_compare(e);
		cp_explain_show(e, rep, cp_run_option_u64(run, "top"));
	} else
		cp_report_scalar_text(rep, "explain", "result", why);
	if (cp_spans_source(e->state) == CP_SCHED_BY_NOTHING && !sampled)
		cp_recipe_note(rep,
		    "switches of threads, so waits are not compared",
		    CP_ADVICE_latency);
	else if (e->event == CP_NO_ID)
		cp_recipe_note(rep,
		    "samples of an event that measures time, so functions are "
		    "not compared",
		    CP_ADVICE_latency);
	cp_spans_note(e->state, rep);
	return CP_OK;
}

static const struct cp_option explain_options[] = {
	{ "slow", "WHAT", NULL,
	    "what is slow: wait>50ms, runq>8 (threads that wait for a CPU), "
	    "pair:NAME>10ms; else --time, or what is found" },
	{ "wait-classes", "FILE", NULL,
	    "more patterns of what a stack waits for" },
	{ "top", "N", "20", "show N rows of the numbers in text, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(explain) = {
	.abi = CP_ABI,
	.name = "explain",
	.summary = "what is different in slow windows of a capture",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_ALL,
	.options = explain_options,
	.state_size = sizeof(struct cp_explain),
	.begin = explain_begin,
	.sample = explain_sample,
	.event = explain_event,
	.finish = explain_finish,
};
