/* SPDX-License-Identifier: MIT */
/*
 * wall: the account of each thread's life: on the CPU, runnable, blocked, not
 * known, not recorded.  The parts add up to the lifetime, to the nanosecond.
 *
 * Switches tell how long each state took (coldperf/spans.h), samples divide the
 * time on the CPU.  Without switches the samples tell how long threads ran, and
 * the rest of their lives, by the records of forks and exits, was not recorded.
 * Threads of a pool are one row.
 */
#include <coldperf/spans.h>

#include "analyses/common/event.h"
#include "analyses/common/frame-label.h"
#include "analyses/common/record-hint.h"
#include "analyses/tasks/notes.h"
#include "analyses/wall/wall.h"

static const struct cp_probe offcpu_time[] = {
	{ "offcpu-time", { NULL } },
	{ NULL, { NULL } },
};

static int
wall_begin(struct cp_run *run, void *state)
{
	struct cp_wall *o = state;

	o->run = run;
	o->top = cp_run_option_u64(run, "top");
	o->threads = cp_run_option_bool(run, "threads");
	if (cp_waitclasses_init(
		&o->classes, run, cp_run_option(run, "wait-classes")) != CP_OK)
		return CP_FAIL;
	cp_waitwatch_init(&o->watch, run, 1);
	cp_meanwhile_init(&o->meanwhile, run);
	o->watch.once = true;
	o->watch.also = cp_meanwhile_span;
	o->watch.also_ctx = &o->meanwhile;
	cp_programs_init(&o->programs, run);
	cp_oncpu_init(&o->oncpu, run);
	cp_waits_init(&o->lives, run);
	cp_index_init(&o->tids, run);
	cp_probes_init(&o->probes, run, offcpu_time);
	return CP_OK;
}

/* ------------------------------------------------------------------- lives */

/* Finds the thread; one that no record began is there from the start. */
static uint32_t
life_of(struct cp_wall *o, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	uint32_t n = o->tids.n, i = cp_index_put(&o->tids, pid, tid);
	struct cp_wait_task *t = cp_waits_task(&o->lives, i);

	cp_grow_to(o->run, o->life, &o->life_cap, i);
	if (i == n)
		*t = (struct cp_wait_task){ .pid = pid, .tid = tid };
	if (comm != 0)
		t->comm = comm;
	return i;
}

static void
life_ends(struct cp_wall *o, uint32_t i, uint64_t time)
{
	struct cp_wall_life *l = &o->life[i];
	uint64_t first = cp_run_quality(o->run)->first_time;

	if (l->since != CP_NO_TIME && first != CP_NO_TIME)
		l->lived += cp_run_kept_ns(
		    o->run, l->since > first ? l->since : first, time);
	l->since = CP_NO_TIME;
}

static int
wall_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_wall *o = state;
	bool told = cp_probes_of(&o->probes, s) != NULL;
	struct cp_wait w = { .link = CP_NO_ID,
		.ns = s->period,
		.start = s->time,
		.place = { s->stack, CP_SPAN_BLOCKED, '?' } };
	uint32_t i;

	if (!told)
		cp_oncpu_add(&o->oncpu, o->watch.state, s);
	if (s->tid == 0 || s->tid == CP_NO_ID ||
	    cp_spans_source(o->watch.state) != CP_SCHED_BY_NOTHING)
		return CP_OK;
	w.task = i = life_of(o, s->pid, s->tid, s->comm);
	/* perf record --off-cpu: its period is ns of blocked time. */
	if (told && s->kept)
		cp_waits_add(&o->lives, &w);
	/* It was not seen to end, or begins again without a record. */
	if (o->life[i].since == CP_NO_TIME && !told)
		o->life[i].since = s->time;
	o->lives.task[i].kept |= s->kept;
	return CP_OK;
}

static int
wall_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_wall *o = state;
	uint32_t i;

	cp_programs_event(&o->programs, e);
	if (e->tid == 0 || e->tid == CP_NO_ID || e->time == CP_NO_TIME ||
	    e->time == 0)
		return CP_OK;
	if (e->kind != CP_SIDE_FORK && e->kind != CP_SIDE_EXIT &&
	    e->kind != CP_SIDE_COMM)
		return CP_OK;
	i = life_of(o, e->pid, e->tid, e->comm);
	if (e->kind == CP_SIDE_FORK)
		o->life[i].since = e->time;
	else if (e->kind == CP_SIDE_EXIT)
		life_ends(o, i, e->time);
	return CP_OK;
}

/* Lives that have samples, or that the program of the capture has. */
static void
lives_finish(struct cp_wall *o)
{
	const struct cp_quality *q = cp_run_quality(o->run);

	for (uint32_t i = 0; i < o->lives.n_tasks; i++) {
		struct cp_wait_task *t = &o->lives.task[i];

		life_ends(o, i, q->last_time);
		t->kept = cp_run_keeps_task(o->run, t->pid, t->tid, t->comm) &&
			  (t->kept || (o->programs.found &&
					  cp_programs_matter(
					      &o->programs, t->pid, t->comm)));
	}
}

/* ------------------------------------------------------------------ finish */

static void
add_ran(void *ctx, const struct cp_oncpu_part *on)
{
	struct cp_wall *o = ctx;
	uint32_t i = cp_index_get(&o->tids, on->pid, on->tid);

	if (i != CP_NO_ID)
		o->lives.task[i].ns[CP_SPAN_RUNNING] += on->ns;
}

static int
wall_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_wall *o = state;
	bool sampled = cp_recipe_sampled(run, cp_sched_probes, rep);
	bool switches = cp_waitwatch_finish(&o->watch);

	o->switches = switches;
	o->waits = switches ? &o->watch.waits : &o->lives;
	cp_oncpu_finish(&o->oncpu);
	if (o->oncpu.event != CP_NO_ID)
		cp_report_event(rep, cp_event_name(run, o->oncpu.event));
	else
		cp_recipe_title(run, cp_sched_probes, rep);
	cp_waits_name(o->waits);
	if (!switches) {
		lives_finish(o);
		cp_oncpu_each(&o->oncpu, NULL, add_ran, o, NULL);
	}
	cp_wall_make(o);
	if (o->n_lines != 0)
		cp_wall_show(o, rep);
	if (switches)
		cp_waitwatch_notes(&o->watch, rep);
	else if (!sampled)
		cp_recipe_note(rep,
		    "switches of threads, so it is not known what threads "
		    "waited for while they did not run",
		    CP_ADVICE_offcpu);
	return CP_OK;
}

static const struct cp_option wall_options[] = {
	{ "threads", NULL, NULL, "a row per thread, not per pool of threads" },
	{ "wait-classes", "FILE", NULL,
	    "more patterns of what a stack waits for" },
	{ "top", "N", "20", "show N rows of each table in text, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(wall) = {
	.abi = CP_ABI,
	.name = "wall",
	.summary = "what became of the time of each thread",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = wall_options,
	.state_size = sizeof(struct cp_wall),
	.begin = wall_begin,
	.sample = wall_sample,
	.event = wall_event,
	.finish = wall_finish,
};
