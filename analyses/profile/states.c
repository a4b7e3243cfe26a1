/* SPDX-License-Identifier: MIT */
#include "analyses/profile/states.h"

#include <stdlib.h>

#include "analyses/common/record-hint.h"
#include "analyses/waits/wait-class.h"

static const struct cp_probe switches[] = {
	{ "sched:sched_switch", { NULL } },
	{ NULL, { NULL } },
};

/* ------------------------------------------------------------------ spans */

static uint32_t
waker_of(const struct cp_span *s)
{
	const struct cp_span_waker *w = &s->thread->waker;

	return s->kind == CP_SPAN_BLOCKED && s->woken && !w->interrupt &&
		       (s->open & CP_SPAN_CUT_END) == 0
		   ? w->thread
		   : CP_NO_ID;
}

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct cp_states *st = ctx;
	const struct cp_sched_thread *t = s->thread;
	bool off = s->kind > CP_SPAN_RUNNING;
	struct cp_state_span span = {
		.from = s->start,
		.to = s->end,
		.task = t->index,
		.waker = waker_of(s),
		.cpu = s->kind == CP_SPAN_RUNNING ? t->cpu : CP_NO_ID,
		.stack = off && !s->after_loss ? t->stack : 0,
		.comm = t->comm,
		.kind = s->kind,
		.letter = t->letter,
	};

	if (!cp_run_keeps_cpu(st->run, t->cpu))
		return;
	if (st->n >= st->max) {
		st->left_out++;
		return;
	}
	*(struct cp_state_span *)cp_slab_at(&st->spans, st->n++) = span;
}

void
cp_states_init(struct cp_states *s, struct cp_run *run, uint32_t max)
{
	*s = (struct cp_states){ .run = run, .max = max };
	s->tasks = cp_run_spans(run, on_span, s);
	cp_slab_init(&s->spans, run, sizeof(struct cp_state_span));
}

/* A pipe describes its events after the analysis has begun. */
uint32_t
cp_states_wants(const struct cp_run *run)
{
	return cp_run_evsel_count(run) == 0 || cp_probes_have(run, switches)
		   ? CP_WANT_RAW | CP_WANT_ALL
		   : 0;
}

static const struct cp_state_span *
span_at(struct cp_states *s, uint32_t i)
{
	return cp_slab_at(&s->spans, i);
}

void
cp_states_end(struct cp_states *s, bool *used)
{
	if (cp_spans_source(s->tasks) == CP_SCHED_BY_NOTHING)
		s->n = s->left_out = 0;
	for (uint32_t i = 0; i < s->n; i++)
		used[span_at(s, i)->stack] = true;
}

/* -------------------------------------------------------------------- rows */

/* Returns the row of a task under a name, 0 for its last one; CP_NO_ID. */
static uint32_t
row_of(struct cp_states *s, struct cp_threads *threads, uint32_t task,
    cp_string_id comm, uint64_t time, bool make)
{
	const struct cp_sched_thread *t = cp_spans_thread(s->tasks, task);
	uint32_t pid = cp_sched_thread_pid(s->tasks, t);
	uint32_t life = cp_threads_life_at(threads, pid, t->tid, time), row;

	if (comm == 0)
		comm = cp_sched_thread_name(s->tasks, t);
	row = cp_threads_find(threads, life, comm);
	if (row != CP_NO_ID || !make ||
	    !cp_run_keeps_task(s->run, pid, t->tid, comm))
		return row;
	return cp_threads_add(threads, life, comm);
}

static const char *
reason_of(struct cp_waitclasses *classes, const struct cp_state_span *span)
{
	if (span->kind == CP_SPAN_PREEMPTED)
		return "preempted";
	if (span->kind == CP_SPAN_WOKEN)
		return "woken";
	if (span->kind != CP_SPAN_BLOCKED)
		return NULL;
	/* A task that never ran waits for its parent to start it. */
	if (span->letter == 'N')
		return "start";
	return span->stack == 0 ? NULL
				: cp_run_string(classes->run,
				      cp_waitclass(classes, span->stack));
}

static const uint8_t tone_of[CP_SPAN_KINDS] = {
	[CP_SPAN_UNKNOWN] = CP_TONE_UNKNOWN,
	[CP_SPAN_RUNNING] = CP_TONE_RUN,
	[CP_SPAN_PREEMPTED] = CP_TONE_WAIT,
	[CP_SPAN_WOKEN] = CP_TONE_WAIT,
	[CP_SPAN_BLOCKED] = CP_TONE_BLOCK,
};

static int
compare_states(const void *va, const void *vb)
{
	const struct cp_profile_state *a = va, *b = vb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

void
cp_states_show(struct cp_states *s, struct cp_threads *threads,
    struct cp_code_rows *code, struct cp_profile *p)
{
	struct cp_profile_state *all =
	    cp_run_alloc(s->run, (s->n + (size_t)1) * sizeof(*all));
	struct cp_waitclasses classes;
	uint32_t n = 0;

	/*
	 * Their names are strings of this capture, not of the one that ended
	 * when the analysis began anew.  It cannot fail: only a file could have
	 * errors.
	 */
	if (cp_waitclasses_init(&classes, s->run, NULL) != CP_OK)
		return;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct cp_state_span *span = span_at(s, i);
		uint32_t row = row_of(
		    s, threads, span->task, span->comm, span->from, true);

		if (row != CP_NO_ID)
			all[n++] = (struct cp_profile_state){
				.from = span->from,
				.to = span->to,
				.thread = row,
				.cpu = span->cpu,
				.tone = tone_of[span->kind],
				.stack = cp_code_stack(code, span->stack),
				.waker = span->waker,
				.reason = reason_of(&classes, span),
			};
	}
	for (uint32_t i = 0; i < n; i++)
		if (all[i].waker != CP_NO_ID)
			all[i].waker = row_of(
			    s, threads, all[i].waker, 0, all[i].to, false);
	qsort(all, n, sizeof(*all), compare_states);
	for (uint32_t i = 0; i < n; i++) {
		all[i].thread = cp_threads_number(threads, all[i].thread);
		all[i].waker = cp_threads_number(threads, all[i].waker);
		cp_profile_state(p, &all[i]);
	}
	s->n = n;
}
