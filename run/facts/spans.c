/* SPDX-License-Identifier: MIT */
/* spans: the machine as the host sees it: it takes samples and records. */
#include "run/facts/facts.h"

#include <string.h>

#define FIRST_SLOTS 1024u

static void
begin(struct cp_taskstate *ts, struct cp_run *run)
{
	*ts = (struct cp_taskstate){
		.pub = { .run = run, .first = CP_NO_TIME, .last = CP_NO_TIME },
		.listener = ts->listener,
		.n_listeners = ts->n_listeners,
		.max_listeners = ts->max_listeners,
		.mask = FIRST_SLOTS - 1,
		.oldest_cpu = CP_NO_ID,
		.newest_cpu = CP_NO_ID
	};
	ts->slots = cp_run_alloc(run, FIRST_SLOTS * sizeof(*ts->slots));
	cp_sched_decoder_init(&ts->decoder, run, ts->pub.seen);
}

struct cp_taskstate *
cp_taskstate_new(struct cp_run *run)
{
	struct cp_taskstate *ts = cp_run_alloc(run, sizeof(*ts));

	begin(ts, run);
	return ts;
}

void
cp_taskstate_free(struct cp_taskstate *ts)
{
	if (ts == NULL)
		return;
	cp_map64_free(&ts->switch_stack);
	cp_map64_free(&ts->last_stack);
	cp_map64_free(&ts->sampled);
}

void
cp_taskstate_restart(struct cp_taskstate *ts)
{
	cp_taskstate_free(ts);
	begin(ts, ts->pub.run);
}

void
cp_taskstate_listen(struct cp_taskstate *ts, struct cp_span_listener who)
{
	struct cp_span_listener *all;

	for (uint32_t i = 0; i < ts->n_listeners; i++)
		if (ts->listener[i].fn == who.fn &&
		    ts->listener[i].ctx == who.ctx)
			return;
	if (ts->n_listeners == ts->max_listeners) {
		ts->max_listeners = 2 * ts->max_listeners + 4;
		all =
		    cp_run_alloc(ts->pub.run, ts->max_listeners * sizeof(*all));
		if (ts->n_listeners != 0)
			memcpy(
			    all, ts->listener, ts->n_listeners * sizeof(*all));
		ts->listener = all;
	}
	ts->listener[ts->n_listeners++] = who;
}

/* Returns the stack that is kept for the thread, and forgets it. */
static cp_stack_id
take_stack(struct cp_map64 *kept, uint32_t tid)
{
	uint32_t *stack;
	cp_stack_id id;

	if (cp_map64_get(kept, tid) == 0)
		return 0;
	stack = cp_map64_put(kept, tid);
	id = *stack - 1;
	*stack = 1;
	return id;
}

/*
 * Records of switches have no stack.  A sample of the same switch comes before
 * its record: nothing of its thread lies between.  Else the thread was about
 * where it was sampled last, since it got the CPU.
 */
static void
give_stack(struct cp_taskstate *ts, const struct cp_sideband *b)
{
	cp_stack_id own = take_stack(&ts->switch_stack, b->tid);
	cp_stack_id last = take_stack(&ts->last_stack, b->tid);

	if (b->kind == CP_SIDE_SWITCH_OUT)
		ts->pub.event.stack = own != 0 ? own : last;
}

void
cp_taskstate_look(struct cp_taskstate *ts, bool records)
{
	ts->watching |=
	    records || cp_sched_decoder_finds(ts->pub.run, ts->looked_at);
	ts->looked_at = cp_run_evsel_count(ts->pub.run);
}

void
cp_taskstate_sample(struct cp_taskstate *ts, const struct cp_sample *s)
{
	cp_sched_decode_sample(&ts->decoder, s, &ts->pub.event);
	cp_taskstate_event(ts, &ts->pub.event);
	if (ts->watching && ts->pub.event.kind == CP_SCHED_NONE &&
	    s->tid != CP_NO_ID && ts->pub.seen[CP_SCHED_SWITCH] == 0)
		*cp_map64_put(cp_sched_is_switch(&ts->decoder, s)
				  ? &ts->switch_stack
				  : &ts->last_stack,
		    s->tid) = s->stack + 1;
}

uint32_t
cp_taskstate_parallelism(struct cp_taskstate *ts, const struct cp_sample *s)
{
	const struct cp_sched_thread *t;
	bool leaves;

	if (!ts->watching)
		return 0;
	t = cp_spans_find(&ts->pub, s->tid);
	/* A sample of a switch is of a thread that runs no more. */
	leaves = ts->pub.event.kind == CP_SCHED_SWITCH;
	if (t != NULL && t->exiting)
		return CP_MAX(ts->pub.running + ts->n_sampled + !leaves, 1u);
	if (!leaves && s->tid != 0 &&
	    (t == NULL || t->kind != CP_SPAN_RUNNING) &&
	    cp_map64_get(&ts->sampled, s->tid) != 1) {
		*cp_map64_put(&ts->sampled, s->tid) = 1;
		ts->n_sampled++;
	}
	return CP_MAX(ts->pub.running + ts->n_sampled, 1u);
}

void
cp_taskstate_sideband(struct cp_taskstate *ts, const struct cp_sideband *b)
{
	ts->watching |=
	    b->kind == CP_SIDE_SWITCH_OUT || b->kind == CP_SIDE_SWITCH_IN;
	cp_sched_decode_sideband(&ts->decoder, b, &ts->pub.event);
	give_stack(ts, b);
	cp_taskstate_event(ts, &ts->pub.event);
}
