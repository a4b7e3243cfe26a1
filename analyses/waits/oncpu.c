/* SPDX-License-Identifier: MIT */
#include "analyses/waits/oncpu.h"

#include "analyses/common/event.h"

void
cp_oncpu_init(struct cp_oncpu *o, struct cp_run *run)
{
	*o = (struct cp_oncpu){ .run = run, .event = CP_NO_ID };
	cp_groups_init(&o->groups, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	cp_index_init(&o->cells, run);
}

/* A tracepoint is passed by for other reasons than the time that passes. */
static bool
tells_time(const struct cp_run *run, uint32_t event)
{
	return cp_event_counts(run, event) &&
	       !cp_run_evsel(run, event)->tracepoint;
}

/*
 * Why the filters leave a sample of a cell out.  The time that a thread ran is
 * divided among all its samples, so that the others do not get their time.
 * Threads are chosen by their last name, whatever it was at the sample.
 */
enum { BY_PLACE = 1, BY_TASK = 2 };

/* Returns false if --event, --cpu or --time leave the sample out. */
static bool
divides(struct cp_run *run, const struct cp_sample *s, uint64_t *why)
{
	*why = s->kept                                           ? 0
	       : cp_run_keeps_task(run, s->pid, s->tid, s->comm) ? BY_PLACE
								 : BY_TASK;
	return s->kept || (cp_run_keeps_event(run, s->evsel) &&
			      cp_run_keeps_cpu(run, s->cpu) &&
			      cp_run_keeps_time(run, s->time));
}

static uint64_t
why_not(const struct cp_oncpu *o, uint32_t cell)
{
	return o->cells.all[cell].b >> 32;
}

/* The time that a sample stands for; 0: not known. */
static uint64_t
ns_of(const struct cp_evsel *e, const struct cp_sample *s)
{
	if (cp_event_is_clock(e))
		return cp_event_ns(e, s);
	return cp_event_measures_time(e) ? (uint64_t)cp_event_interval(e) : 0;
}

void
cp_oncpu_add(
    struct cp_oncpu *o, const struct cp_spans *ts, const struct cp_sample *s)
{
	const struct cp_sched_thread *t;
	uint64_t who, why;
	uint32_t i;

	/* Thread 0 is an idle CPU, which is no thread's time. */
	if (s->tid == 0 || s->tid == CP_NO_ID || !tells_time(o->run, s->event))
		return;
	if (!divides(o->run, s, &why)) {
		o->dropped += why == BY_PLACE;
		return;
	}
	t = cp_spans_find(ts, s->tid);
	who = (uint64_t)cp_groups_add(&o->groups, s) << 32 |
	      (t != NULL ? t->index : CP_NO_ID);
	i = cp_index_put(&o->cells, who, why << 32 | s->stack);
	cp_grow_to(o->run, o->sum, &o->sum_cap, i);
	o->sum[i].samples++;
	o->sum[i].weight += s->weight;
	o->sum[i].period += ns_of(cp_run_evsel(o->run, s->evsel), s);
}

static const struct cp_group *
group_of(const struct cp_oncpu *o, uint32_t cell)
{
	return &o->groups.all[o->cells.all[cell].a >> 32];
}

static bool
is_shown(const struct cp_oncpu *o, uint32_t cell)
{
	return group_of(o, cell)->v[CP_BY_EVENT] == o->event;
}

void
cp_oncpu_finish(struct cp_oncpu *o)
{
	cp_stack_id *stacks;
	uint32_t n = 0;

	o->event = cp_groups_main_event(&o->groups);
	if (o->cells.n == 0)
		return;
	stacks = cp_run_alloc(o->run, o->cells.n * sizeof(*stacks));
	for (uint32_t i = 0; i < o->cells.n; i++)
		if (is_shown(o, i))
			stacks[n++] = (cp_stack_id)o->cells.all[i].b;
	cp_run_name(o->run, stacks, n);
}

/* ---------------------------------------------------------------- switches */

/* The samples of a thread. */
struct share {
	uint64_t weight; /* of all its samples; stays at UINT64_MAX */
	uint64_t given;  /* of those whose part was passed on */
};

struct division {
	struct cp_oncpu *o;
	const struct cp_waitwatch *watch;
	struct share *share;    /* by thread */
	struct cp_index first;  /* tid */
	uint32_t *thread_of;    /* by number in first */
	uint64_t ns, unsampled; /* passed on, and without a sample */
	uint64_t left_out; /* not passed on: of samples that filters drop */
	uint64_t samples, lone; /* counted, and of no known time */
};

/* Finds the first thread of each tid, for samples that came before it. */
static void
threads_by_tid(struct division *d)
{
	const struct cp_spans *ts = d->watch->state;

	cp_index_init(&d->first, d->o->run);
	d->thread_of = cp_run_alloc(
	    d->o->run, (ts->n_threads + (size_t)1) * sizeof(*d->thread_of));
	for (uint32_t i = 0; i < ts->n_threads; i++) {
		uint32_t n = d->first.n;

		if (cp_index_put(&d->first, cp_spans_thread(ts, i)->tid, 0) ==
		    n)
			d->thread_of[n] = i;
	}
}

static uint32_t
thread_of(const struct division *d, uint32_t cell)
{
	uint32_t thread = (uint32_t)d->o->cells.all[cell].a, i;

	if (thread != CP_NO_ID)
		return thread;
	i = cp_index_get(&d->first, group_of(d->o, cell)->v[CP_BY_TID], 0);
	return i != CP_NO_ID ? d->thread_of[i] : CP_NO_ID;
}

static uint64_t
ran(const struct division *d, uint32_t thread)
{
	const struct cp_waits *w = &d->watch->waits;

	if (thread >= w->n_tasks || !w->task[thread].kept)
		return 0;
	return w->task[thread].ns[CP_SPAN_RUNNING];
}

/* True for a cell that is shown, but of a thread whose time is not known. */
static bool
is_lone(const struct division *d, uint32_t cell, uint32_t thread)
{
	const struct cp_waits *w = &d->watch->waits;

	return why_not(d->o, cell) == 0 &&
	       (thread >= w->n_tasks || w->task[thread].kept);
}

static uint64_t
add_up_to_most(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void
add_weights(struct division *d)
{
	const struct cp_oncpu *o = d->o;

	for (uint32_t i = 0; i < o->cells.n; i++) {
		uint32_t t = thread_of(d, i);

		if (!is_shown(o, i))
			continue;
		if (ran(d, t) == 0) {
			if (is_lone(d, i, t))
				d->lone += o->sum[i].samples;
			continue;
		}
		d->samples += o->sum[i].samples;
		d->share[t].weight =
		    add_up_to_most(d->share[t].weight, o->sum[i].weight);
	}
}

/* The parts of a thread add up to its time: what is rounded is their sum. */
static uint64_t
next_part(struct share *s, uint64_t ns, uint64_t weight)
{
	uint64_t before = s->given;

	if (s->weight == 0)
		return 0;
	s->given = add_up_to_most(before, weight);
	return (uint64_t)((__uint128_t)ns * s->given / s->weight -
			  (__uint128_t)ns * before / s->weight);
}

static void
pass_on(struct division *d, uint32_t thread, struct cp_oncpu_part *part,
    cp_oncpu_fn fn, void *ctx)
{
	const struct cp_wait_task *task = &d->watch->waits.task[thread];

	part->comm = task->comm;
	part->pid = task->pid;
	part->tid = task->tid;
	d->ns += part->ns;
	fn(ctx, part);
}

static void
divide(struct division *d, cp_oncpu_fn fn, void *ctx)
{
	const struct cp_oncpu *o = d->o;

	for (uint32_t i = 0; i < o->cells.n; i++) {
		uint32_t t = thread_of(d, i);
		struct cp_oncpu_part part = {
			.stack = (cp_stack_id)o->cells.all[i].b,
			.samples = o->sum[i].samples,
		};

		if (!is_shown(o, i) || ran(d, t) == 0)
			continue;
		part.ns = next_part(&d->share[t], ran(d, t), o->sum[i].weight);
		if (why_not(o, i) == BY_PLACE)
			d->left_out += part.ns;
		else
			pass_on(d, t, &part, fn, ctx);
	}
	for (uint32_t t = 0; t < d->watch->waits.n_tasks; t++) {
		struct cp_oncpu_part part = { .ns = ran(d, t) };

		if (part.ns == 0 || d->share[t].weight != 0)
			continue;
		d->unsampled += part.ns;
		pass_on(d, t, &part, fn, ctx);
	}
}

static void
note_switches(const struct division *d, struct cp_report *rep)
{
	const struct cp_oncpu *o = d->o;
	struct cp_word time, n;

	if (rep == NULL)
		return;
	if (d->samples != 0)
		cp_report_note(rep,
		    "on the CPU: %s, as the switches tell; samples of %s (%s) "
		    "divide the time of each thread among its stacks",
		    cp_word_time(&time, d->ns), cp_event_name(o->run, o->event),
		    cp_word_count(&n, d->samples));
	if (d->left_out != 0)
		cp_report_note(rep,
		    "%s on the CPU are not in the tree: of samples that the "
		    "filters leave out",
		    cp_word_time(&time, d->left_out));
	if (d->unsampled != 0 && o->dropped == 0)
		cp_report_note(rep,
		    "[no sample]: %s on the CPU, of threads that were not "
		    "sampled: nobody knows where they ran",
		    cp_word_time(&time, d->unsampled));
	if (d->unsampled != 0 && o->dropped != 0)
		cp_report_note(rep,
		    "[no sample]: %s on the CPU, of threads of which the "
		    "filters keep no sample; those that they leave out (%s) "
		    "may tell where they ran",
		    cp_word_time(&time, d->unsampled),
		    cp_word_count(&n, o->dropped));
	if (d->lone != 0)
		cp_report_note(rep,
		    "samples of threads whose time on the CPU is not known: "
		    "%s; they are not in the tree",
		    cp_word_count(&n, d->lone));
}

static void
each_by_switches(struct cp_oncpu *o, const struct cp_waitwatch *watch,
    cp_oncpu_fn fn, void *ctx, struct cp_report *rep)
{
	struct division d = { .o = o, .watch = watch };
	size_t n = (size_t)watch->waits.n_tasks + 1;

	d.share = cp_run_alloc(o->run, n * sizeof(*d.share));
	threads_by_tid(&d);
	add_weights(&d);
	divide(&d, fn, ctx);
	note_switches(&d, rep);
}

/* ------------------------------------------------------------------- clock */

static void
each_by_clock(
    struct cp_oncpu *o, cp_oncpu_fn fn, void *ctx, struct cp_report *rep)
{
	struct cp_word time;
	uint64_t ns = 0;

	for (uint32_t i = 0; i < o->cells.n; i++) {
		const struct cp_group *g = group_of(o, i);
		struct cp_oncpu_part part = {
			.comm = (cp_string_id)g->v[CP_BY_COMM],
			.pid = (uint32_t)g->v[CP_BY_PID],
			.tid = (uint32_t)g->v[CP_BY_TID],
			.stack = (cp_stack_id)o->cells.all[i].b,
			.ns = o->sum[i].period,
			.samples = o->sum[i].samples,
		};

		if (!is_shown(o, i) || why_not(o, i) != 0)
			continue;
		ns += part.ns;
		fn(ctx, &part);
	}
	if (rep != NULL)
		cp_report_note(rep, "on the CPU: %s, the %s of %s",
		    cp_word_time(&time, ns),
		    cp_event_is_clock(cp_run_evsel(o->run, o->event))
			? "periods"
			: "intervals between samples",
		    cp_event_name(o->run, o->event));
}

void
cp_oncpu_each(struct cp_oncpu *o, const struct cp_waitwatch *watch,
    cp_oncpu_fn fn, void *ctx, struct cp_report *rep)
{
	if (watch != NULL)
		each_by_switches(o, watch, fn, ctx, rep);
	else if (o->event != CP_NO_ID &&
		 (cp_event_is_clock(cp_run_evsel(o->run, o->event)) ||
		     (cp_event_measures_time(cp_run_evsel(o->run, o->event)) &&
			 cp_event_interval(cp_run_evsel(o->run, o->event)) >
			     0)))
		each_by_clock(o, fn, ctx, rep);
	else if (rep != NULL)
		cp_report_note(rep,
		    "the time on the CPU is not known: there are no switches, "
		    "and no samples of a clock; this records both: perf record "
		    "--switch-events -e cpu-clock -g");
}
