/* SPDX-License-Identifier: MIT */
/*
 * critical: what the time of a thread depended on.  Backwards from its end: on
 * the CPU; waiting for a CPU; blocked, which is replaced by what the thread did
 * that ended the wait, across threads and processes.  The steps add up to the
 * time that passed, to the nanosecond; what is not known is a step of its own,
 * with the reason.
 *
 * The path is that of the main thread of the command that perf ran, or of the
 * thread that the filters choose; or there is one for each of the longest waits
 * (--waits), or of the slowest pairs (--recipe).
 */
#include <coldperf/spans.h>

#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/frame-label.h"
#include "analyses/common/options.h"
#include "analyses/common/record-hint.h"
#include "analyses/critical/critical.h"
#include "analyses/tasks/notes.h"

#define MOST_WAITS 1000

static void
on_span(void *ctx, const struct cp_span *s)
{
	struct cp_critical *o = ctx;

	cp_past_add(&o->past, s);
	if (s->kind != CP_SPAN_RUNNING || s->end < s->start)
		return;
	cp_grow_to(o->run, o->ran, &o->ran_cap, s->thread->index);
	o->ran[s->thread->index] += s->end - s->start;
}

static int
critical_begin(struct cp_run *run, void *state)
{
	struct cp_critical *o = state;
	const char *recipe = cp_run_option(run, "recipe");

	o->run = run;
	o->top = cp_run_option_u64(run, "top");
	if (!cp_option_within(run, "waits",
		(double)cp_run_option_u64(run, "waits"), 0, MOST_WAITS) ||
	    cp_waitclasses_init(
		&o->classes, run, cp_run_option(run, "wait-classes")) != CP_OK)
		return CP_FAIL;
	o->paired = recipe != NULL;
	if (o->paired && cp_pairs_init(&o->pairs, run) != CP_OK)
		return CP_FAIL;
	o->state = cp_run_spans(run, on_span, o);
	cp_past_init(&o->past, run);
	cp_programs_init(&o->programs, run);
	return CP_OK;
}

/* Keeps who forked a thread. */
static void
keep_parent(struct cp_critical *o)
{
	const struct cp_spans *s = o->state;
	const struct cp_sched_thread *child, *parent;

	if (s->event.kind != CP_SCHED_FORK)
		return;
	child = cp_spans_find(s, s->event.tid);
	parent = cp_spans_find(s, s->event.next);
	if (child == NULL || parent == NULL || parent == child)
		return;
	cp_grow_to(o->run, o->parent, &o->parent_cap, child->index);
	o->parent[child->index] = parent->index + 1;
}

static int
critical_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_critical *o = state;

	(void)run;
	keep_parent(o);
	if (o->state->event.kind == CP_SCHED_NONE)
		cp_past_sample(&o->past, s);
	return o->paired ? cp_pairs_sample(&o->pairs, s) : CP_OK;
}

static int
critical_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_critical *o = state;

	(void)run;
	keep_parent(o);
	cp_programs_event(&o->programs, e);
	if (o->paired)
		cp_pairs_sideband(&o->pairs, e);
	return CP_OK;
}

/* ------------------------------------------------------------------- paths */

/* How much a thread's path tells of the program that was recorded. */
static int
rank(const struct cp_critical *o, const struct cp_sched_thread *t)
{
	uint32_t pid = cp_sched_thread_pid(o->state, t);
	cp_string_id comm = cp_sched_thread_name(o->state, t);
	const struct cp_program *p =
	    pid != CP_NO_ID ? cp_programs_of(&o->programs, pid) : NULL;
	bool matters = cp_programs_matter(&o->programs, pid, comm);

	if (p != NULL && p->command && t->tid == pid)
		return 3;
	if (o->programs.found && matters && t->tid == pid)
		return 2;
	return matters;
}

/* Adds a path for each window of --time that has a part of these times. */
static void
add_paths(struct cp_critical *o, struct cp_critical_path path)
{
	uint64_t end = path.end;

	for (; cp_run_cut(o->run, &path.start, &path.end);
	     path.start = path.end, path.end = end) {
		cp_grow_to(o->run, o->path, &o->path_cap, o->n_paths);
		o->path[o->n_paths++] = path;
	}
}

/* The whole life of the thread that tells most. */
static void
choose_life(struct cp_critical *o)
{
	uint64_t best_ran = 0;
	uint32_t chosen = CP_NO_ID;
	const struct cp_sched_thread *t;
	int best = -1;

	for (uint32_t i = 0; i < o->state->n_threads; i++) {
		uint64_t time = i < o->ran_cap ? o->ran[i] : 0;
		int is;

		t = cp_spans_thread(o->state, i);
		if (!cp_sched_thread_kept(o->state, t) ||
		    cp_run_kept_ns(o->run, cp_sched_thread_start(o->state, t),
			cp_sched_thread_end(o->state, t)) == 0 ||
		    (is = rank(o, t)) < best ||
		    (is == best && time <= best_ran))
			continue;
		best = is;
		best_ran = time;
		chosen = i;
	}
	if (chosen == CP_NO_ID)
		return;
	t = cp_spans_thread(o->state, chosen);
	add_paths(o, (struct cp_critical_path){ .thread = chosen,
			 .start = cp_sched_thread_start(o->state, t),
			 .end = cp_sched_thread_end(o->state, t),
			 .kind = CP_SPAN_KINDS,
			 .pair = CP_NO_ID });
}

static int
compare_paths(const void *va, const void *vb)
{
	const struct cp_critical_path *a = va, *b = vb;
	uint64_t x = a->end - a->start, y = b->end - b->start;

	if (x != y)
		return x < y ? 1 : -1;
	return (a->start > b->start) - (a->start < b->start);
}

/* The n longest blocked waits of threads that matter. */
static void
choose_waits(struct cp_critical *o, uint32_t n)
{
	bool *wanted = cp_run_alloc(
	    o->run, (o->state->n_threads + (size_t)1) * sizeof(*wanted));
	struct cp_past_span s;
	uint32_t room = 2 * n;

	for (uint32_t i = 0; i < o->state->n_threads; i++) {
		const struct cp_sched_thread *t = cp_spans_thread(o->state, i);

		wanted[i] = cp_sched_thread_kept(o->state, t) && rank(o, t) > 0;
	}
	cp_grow_to(o->run, o->path, &o->path_cap, room);
	for (uint32_t i = 0; cp_past_read(&o->past, i, &s); i++) {
		if (s.kind != CP_SPAN_BLOCKED || !wanted[s.thread] ||
		    s.letter == 'N')
			continue;
		o->path[o->n_paths++] = (struct cp_critical_path){
			.thread = s.thread,
			.start = s.start,
			.end = s.end,
			.stack = s.stack,
			.kind = s.kind,
			.letter = (char)s.letter,
			.pair = CP_NO_ID,
		};
		if (o->n_paths == room) {
			qsort(o->path, room, sizeof(*o->path), compare_paths);
			o->n_paths = n;
		}
	}
	if (o->n_paths != 0)
		qsort(o->path, o->n_paths, sizeof(*o->path), compare_paths);
	o->n_paths = o->n_paths < n ? o->n_paths : n;
}

/* The thread that had the id at that time. */
static uint32_t
thread_at(const struct cp_critical *o, uint32_t tid, uint64_t time)
{
	for (uint32_t i = o->state->n_threads; i-- > 0;) {
		const struct cp_sched_thread *t = cp_spans_thread(o->state, i);

		if (t->tid == tid && cp_sched_thread_start(o->state, t) <= time)
			return i;
	}
	return CP_NO_ID;
}

static void
choose_pairs(struct cp_critical *o)
{
	const struct cp_pairs *p = &o->pairs;

	for (uint32_t i = 0; i < p->slowest.n; i++) {
		const struct cp_pair_slow *s = &p->slow[p->slowest.at[i].slot];
		uint32_t thread =
		    thread_at(o, (uint32_t)p->threads.all[s->thread].a, s->end);

		if (thread != CP_NO_ID)
			add_paths(o, (struct cp_critical_path){
					 .thread = thread,
					 .start = s->start,
					 .end = s->end,
					 .kind = CP_SPAN_KINDS,
					 .pair = s->row,
				     });
	}
}

/* ------------------------------------------------------------------ finish */

static void
notes(struct cp_critical *o, struct cp_report *rep)
{
	struct cp_word n;

	if (o->past.failed)
		cp_report_note(rep,
		    "the temporary file of the spans cannot be read: the path "
		    "ends there");
	if (o->n_steps > CP_CRITICAL_STEPS)
		cp_report_note(rep,
		    "a path has more than %s steps: what was before them is "
		    "one step",
		    cp_word_count(&n, CP_CRITICAL_STEPS));
	cp_spans_note(o->state, rep);
	if (o->state->seen[CP_SCHED_WAKE] == 0)
		cp_report_note(rep,
		    "no wake-ups were recorded, so nobody knows who ended a "
		    "wait; this records them: perf record %s -a -- "
		    "sleep 10",
		    cp_advice[CP_ADVICE_latency].options);
	else if (cp_spans_tasks_only(o->state))
		cp_report_note(rep,
		    "only the threads of some processes were recorded: what "
		    "others did is not known; -a records them, too");
}

static int
critical_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_critical *o = state;
	uint64_t waits = cp_run_option_u64(run, "waits");
	bool sampled = cp_recipe_sampled(run, cp_sched_probes, rep);

	if (o->past.event != CP_NO_ID)
		cp_report_event(rep, cp_event_name(run, o->past.event));
	else
		cp_recipe_title(run, cp_sched_probes, rep);
	if (cp_spans_source(o->state) == CP_SCHED_BY_NOTHING) {
		if (!sampled)
			cp_recipe_note(
			    rep, "switches of threads", CP_ADVICE_latency);
		return CP_OK;
	}
	if (o->paired) {
		cp_pairs_finish(&o->pairs);
		choose_pairs(o);
	} else if (waits != 0)
		choose_waits(o, (uint32_t)waits);
	else
		choose_life(o);
	for (uint32_t i = 0; i < o->n_paths; i++)
		cp_critical_walk(o, &o->path[i]);
	if (o->n_paths != 0)
		cp_critical_show(o, rep);
	else
		cp_report_note(rep, "nothing to follow: %s",
		    o->paired    ? "the capture has no such pair"
		    : waits != 0 ? "no such thread was blocked"
				 : "no such thread was seen to run");
	notes(o, rep);
	return CP_OK;
}

static const struct cp_option critical_options[] = {
	{ "waits", "N", "0", "a path for each of the N longest blocked waits" },
	{ "recipe", "LIST", NULL,
	    "a path for each of the slowest pairs: see `coldperf pair'" },
	{ "wait-classes", "FILE", NULL,
	    "more patterns of what a stack waits for" },
	{ "top", "N", "20",
	    "N steps of a path, the longest, in order; 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(critical) = {
	.abi = CP_ABI,
	.name = "critical",
	.summary = "what a thread's time depended on, across threads",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = critical_options,
	.state_size = sizeof(struct cp_critical),
	.begin = critical_begin,
	.sample = critical_sample,
	.event = critical_event,
	.finish = critical_finish,
};
