/* SPDX-License-Identifier: MIT */
/*
 * walk: backwards through the spans of threads.  A wait that a thread ended is
 * replaced by what that thread did until then, and so on; when the walk is back
 * at the begin of the wait, it goes on with the one that had waited.
 *
 * There is no recursion: the waits that were entered are a list.  Each turn of
 * the loop goes back in time, or enters one more wait of at most
 * CP_CRITICAL_DEPTH, or goes from a thread to its parent, as often at most.
 */
#include "analyses/critical/critical.h"

#include <string.h>

/* A wait that the walk is within. */
struct wait {
	uint32_t thread, hop;
	uint64_t start, bound; /* bound: of the waiter's own walk */
	cp_stack_id stack;
};

struct walk {
	struct cp_critical *o;
	const struct cp_critical_path *path;
	uint32_t thread, hop;
	uint64_t at, bound; /* the walk of this thread ends there */
	/* Where the thread was at that time; 0: not known. */
	cp_stack_id stack;
	struct wait in[CP_CRITICAL_DEPTH];
	uint32_t depth;
	uint32_t parents; /* turns to a parent since time went back */
};

static struct cp_step *
add_step(struct walk *w, uint64_t start, enum cp_step_state state)
{
	struct cp_critical *o = w->o;
	struct cp_step *s;

	if (o->n_steps >= CP_CRITICAL_STEPS) {
		start = w->path->start;
		state = CP_STEP_LIMIT;
	}
	cp_grow_to(o->run, o->step, &o->step_cap, o->n_steps);
	s = &o->step[o->n_steps++];
	*s = (struct cp_step){ .start = start,
		.end = w->at,
		.path = (uint32_t)(w->path - o->path),
		.thread = w->thread,
		.hop = w->hop,
		.by = CP_NO_ID,
		.part = o->n_parts,
		.state = (uint8_t)state,
		.letter = '?' };
	w->at = start;
	w->parents = 0;
	return s;
}

static void
add_part(
    struct cp_critical *o, struct cp_step *s, cp_stack_id stack, uint64_t ns)
{
	if (s->parts != 0 && o->part[o->n_parts - 1].stack == stack) {
		o->part[o->n_parts - 1].ns += ns;
		return;
	}
	cp_grow_to(o->run, o->part, &o->part_cap, o->n_parts);
	o->part[o->n_parts++] = (struct cp_step_part){ stack, ns };
	s->parts++;
}

/*
 * Time on the CPU: each sample stands for the time since the one before it, the
 * last for what follows, too.
 */
static void
ran(struct walk *w, uint64_t start, uint32_t tid)
{
	struct cp_past_sample k;
	struct cp_step *s;
	bool more =
	    cp_past_sampled(&w->o->past, tid, w->at, &k) && k.time > start;

	s = add_step(w, start, more ? CP_STEP_ON_CPU : CP_STEP_NO_SAMPLE);
	s->stack = w->stack;
	for (uint64_t at = s->end; more && s->state == CP_STEP_ON_CPU;) {
		cp_stack_id stack = k.stack;
		uint64_t from = start;

		more = k.before != 0 && w->o->n_parts < 4 * CP_CRITICAL_STEPS &&
		       cp_past_read_sample(&w->o->past, k.before - 1, &k) &&
		       k.time > start;
		if (more && k.time < at)
			from = k.time;
		else if (more)
			continue;
		add_part(w->o, s, stack, at - from);
		at = from;
	}
}

/* Who had the CPU for most of that time? */
static uint32_t
taker(struct cp_critical *o, uint32_t cpu, uint64_t from, uint64_t to)
{
	enum { FEW = 8, LOOK = 256 };
	struct {
		uint32_t thread;
		uint64_t ns;
	} had[FEW + 1] = { { CP_STEP_IDLE, 0 } };
	uint32_t n = 1, best = 0;
	uint64_t at = to;
	struct cp_past_span s;
	bool more = cp_past_on_cpu(&o->past, cpu, to, &s);

	if (cp_spans_tasks_only(o->state) || cpu >= CP_SCHED_CPUS)
		return CP_NO_ID;
	for (int i = 0; i < LOOK && more && at > from && s.end > from; i++) {
		uint64_t end = s.end < at ? s.end : at;
		uint64_t start = s.start > from ? s.start : from;
		uint32_t k = 1;

		had[0].ns += at - end;
		while (k < n && had[k].thread != s.thread)
			k++;
		if (k == n && n <= FEW)
			had[n++].thread = s.thread;
		if (k < n && start < end)
			had[k].ns += end - start;
		at = start < at ? start : at;
		more = s.before_on_cpu != 0 &&
		       cp_past_read(&o->past, s.before_on_cpu - 1, &s);
	}
	if (!more || s.end <= from)
		had[0].ns += at > from ? at - from : 0;
	for (uint32_t k = 1; k < n; k++)
		if (had[k].ns > had[best].ns)
			best = k;
	return had[best].thread;
}

/* Why a wait is not followed; STATES: it is. */
static enum cp_step_state
end_of(const struct walk *w, const struct cp_past_span *s)
{
	if (s->end > w->at)
		return w->at == w->path->end && w->depth == 0 ? CP_STEP_STILL
							      : CP_STEP_LOOP;
	if (!s->woken)
		return (s->open & CP_SPAN_OPEN_START) != 0 ? CP_STEP_BEFORE
		       : (s->open & (CP_SPAN_OPEN_END | CP_SPAN_CUT_END)) != 0
			   ? CP_STEP_STILL
			   : CP_STEP_NO_WAKER;
	if (s->interrupt || s->waker == CP_NO_ID)
		return CP_STEP_INTERRUPT;
	for (uint32_t i = 0; i < w->depth; i++)
		if (w->in[i].thread == s->waker)
			return CP_STEP_LOOP;
	return s->waker == w->thread ? CP_STEP_LOOP
	       : w->depth < CP_CRITICAL_DEPTH &&
		       w->o->n_hops < CP_CRITICAL_STEPS
		   ? CP_STEP_STATES
		   : CP_STEP_DEEP;
}

static void
blocked(struct walk *w, const struct cp_past_span *s, uint64_t start)
{
	struct cp_critical *o = w->o;
	enum cp_step_state why = end_of(w, s);
	struct cp_step *step;

	if (why != CP_STEP_STATES) {
		step = add_step(w, start, why);
		step->stack = s->stack;
		step->letter = (char)s->letter;
		step->handler = s->woken ? s->waker_stack : 0;
		w->stack = s->stack;
		return;
	}
	w->in[w->depth++] =
	    (struct wait){ w->thread, w->hop, start, w->bound, s->stack };
	cp_grow_to(o->run, o->hop, &o->hop_cap, o->n_hops);
	o->hop[o->n_hops] = (struct cp_step_hop){ w->thread, s->stack,
		(char)s->letter, w->hop };
	w->hop = o->n_hops++;
	w->bound = start;
	w->thread = s->waker;
	w->stack = s->waker_stack;
}

/* Nothing is known of the thread just before this time. */
static void
unrecorded(struct walk *w, uint64_t start, bool known)
{
	struct cp_critical *o = w->o;
	uint32_t parent = w->thread < o->parent_cap ? o->parent[w->thread] : 0;

	/* It had not begun: its parent was to start it. */
	if (!known && parent != 0 && w->parents++ < CP_CRITICAL_DEPTH) {
		w->thread = parent - 1;
		w->stack = 0;
		return;
	}
	(void)add_step(w, start, CP_STEP_UNRECORDED);
}

static void
turn(struct walk *w)
{
	struct cp_past_span s;
	struct cp_step *step;
	uint64_t start;
	bool known = cp_past_before(&w->o->past, w->thread, w->at, &s);

	if (!known || s.end < w->at) {
		start = known && s.end > w->bound ? s.end : w->bound;
		unrecorded(w, start, known);
		return;
	}
	start = s.start > w->bound ? s.start : w->bound;
	switch ((enum cp_span_kind)s.kind) {
	case CP_SPAN_RUNNING:
		ran(w, start, cp_spans_thread(w->o->state, w->thread)->tid);
		break;
	case CP_SPAN_PREEMPTED:
	case CP_SPAN_WOKEN:
		step = add_step(w, start, CP_STEP_READY);
		step->stack = w->stack = s.stack;
		step->by = taker(w->o, s.cpu, step->start, step->end);
		break;
	case CP_SPAN_BLOCKED: blocked(w, &s, start); break;
	default: (void)add_step(w, start, CP_STEP_UNKNOWN); w->stack = 0;
	}
}

void
cp_critical_walk(struct cp_critical *o, struct cp_critical_path *path)
{
	struct walk w = { .o = o,
		.path = path,
		.thread = path->thread,
		.hop = CP_NO_ID,
		.at = path->end,
		.bound = path->start };

	path->first = o->n_steps;
	while (w.at > path->start) {
		if (w.at <= w.bound) {
			const struct wait *in = &w.in[--w.depth];

			w.thread = in->thread;
			w.hop = in->hop;
			w.bound = in->bound;
			w.stack = in->stack;
			continue;
		}
		turn(&w);
	}
	path->steps = o->n_steps - path->first;
}
