/* SPDX-License-Identifier: MIT */
/*
 * States of threads: running spans as sched_switch of the kernel, from which
 * Perfetto makes its CPU tracks; waits as slices; lost records.
 */
#include "render/export/perfetto-states.h"

enum { NORMAL_PRIO = 120, STATE_RUNNABLE = 0, STATE_SLEEPS = 1 };

/* A thread begins to run on a CPU, and stops. */
struct stint {
	const struct cp_profile_state *state;
	bool sleeps; /* it waits afterwards */
};

struct stints {
	CP_VEC(struct stint) all;
	uint32_t *last; /* of each thread, + 1 */
};

/*
 * Collects spans on CPUs.  The next state of a thread shows if it sleeps after
 * it ran.
 */
static void
collect_stints(struct stints *s, const struct cp_profile *p)
{
	s->last = cp_xcalloc(p->threads.len + 1, sizeof(*s->last));
	for (size_t i = 0; i < p->states.len; i++) {
		const struct cp_profile_state *state = &p->states.data[i];
		uint32_t *last;

		if (state->thread == CP_NO_ID)
			continue;
		last = &s->last[state->thread];
		if (*last != 0 && state->tone == CP_TONE_BLOCK)
			s->all.data[*last - 1].sleeps = true;
		*last = 0;
		if (state->tone != CP_TONE_RUN || state->cpu == CP_NO_ID)
			continue;
		*cp_vec_push(&s->all) = (struct stint){ .state = state };
		*last = (uint32_t)s->all.len;
	}
}

static int
stint_cmp(const void *va, const void *vb)
{
	const struct stint *a = va, *b = vb;
	const struct cp_profile_state *x = a->state, *y = b->state;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x > y) - (x < y);
}

static void
put_switch(struct cp_perfetto *w, uint32_t cpu, uint64_t time,
    const struct stint *prev, const struct stint *next)
{
	const struct cp_profile_thread *threads = w->p->threads.data;
	const struct cp_profile_thread idle = { .name = "swapper" };
	const struct cp_profile_thread *from =
	    prev != NULL ? &threads[prev->state->thread] : &idle;
	const struct cp_profile_thread *to =
	    next != NULL ? &threads[next->state->thread] : &idle;

	cp_proto_text(&w->list, PF_SWITCH_PREV_COMM, from->name);
	cp_proto_always(&w->list, PF_SWITCH_PREV_PID, from->tid);
	cp_proto_always(&w->list, PF_SWITCH_PREV_PRIO, NORMAL_PRIO);
	cp_proto_always(&w->list, PF_SWITCH_PREV_STATE,
	    prev != NULL && prev->sleeps ? STATE_SLEEPS : STATE_RUNNABLE);
	cp_proto_text(&w->list, PF_SWITCH_NEXT_COMM, to->name);
	cp_proto_always(&w->list, PF_SWITCH_NEXT_PID, to->tid);
	cp_proto_always(&w->list, PF_SWITCH_NEXT_PRIO, NORMAL_PRIO);
	cp_proto_u64(&w->part, PF_FTRACE_TIME, time);
	cp_proto_always(&w->part, PF_FTRACE_PID, from->tid);
	cp_proto_take(&w->part, PF_FTRACE_SCHED_SWITCH, &w->list);
	cp_proto_always(&w->field, PF_BUNDLE_CPU, cpu);
	cp_proto_take(&w->field, PF_BUNDLE_EVENT, &w->part);
	cp_proto_take(&w->packet, PF_PACKET_FTRACE_EVENTS, &w->field);
	cp_proto_out(w->out, PF_TRACE_PACKET, &w->packet);
}

static void
put_switches(struct cp_perfetto *w, const struct stints *s)
{
	const struct stint *prev = NULL;

	for (size_t i = 0; i < s->all.len; i++) {
		const struct stint *now = &s->all.data[i];
		const struct stint *next =
		    i + 1 < s->all.len ? &s->all.data[i + 1] : NULL;
		uint32_t cpu = now->state->cpu;

		put_switch(w, cpu, now->state->from, prev, now);
		prev = now;
		/* The CPU idles, unless another begins at that moment. */
		if (next == NULL || next->state->cpu != cpu ||
		    next->state->from > now->state->to) {
			put_switch(w, cpu, now->state->to, now, NULL);
			prev = NULL;
		}
	}
}

/* ------------------------------------------------------------------ waits */

static uint64_t
track_of(uint32_t thread)
{
	return UINT64_C(0x636f6c64) << 32 | ((uint64_t)thread + 1);
}

static void
put_track(struct cp_perfetto *w, uint32_t thread)
{
	const struct cp_profile_thread *t = &w->p->threads.data[thread];
	struct cp_buf name;

	cp_buf_init(&name, SIZE_MAX / 2);
	cp_buf_printf(&name, "waits of %s", t->name != NULL ? t->name : "");
	if (t->tid != CP_NO_ID)
		cp_buf_printf(&name, " %" PRIu32, t->tid);
	cp_proto_u64(&w->field, PF_TRACK_UUID, track_of(thread));
	cp_proto_text(&w->field, PF_TRACK_NAME, cp_buf_text(&name));
	cp_buf_free(&name);
	cp_proto_take(&w->packet, PF_PACKET_TRACK, &w->field);
	cp_perfetto_put(w, w->start);
}

static void
put_edge(struct cp_perfetto *w, const struct cp_profile_state *s, bool begin)
{
	cp_proto_u64(
	    &w->field, PF_EVENT_TYPE, begin ? PF_EVENT_BEGIN : PF_EVENT_END);
	cp_proto_u64(&w->field, PF_EVENT_TRACK, track_of(s->thread));
	if (begin) {
		cp_proto_text(&w->field, PF_EVENT_CATEGORY, "wait");
		cp_proto_text(&w->field, PF_EVENT_NAME,
		    s->reason != NULL ? s->reason : "wait");
	}
	cp_proto_take(&w->packet, PF_PACKET_TRACK_EVENT, &w->field);
	cp_perfetto_put(w, begin ? s->from : s->to);
}

static void
put_waits(struct cp_perfetto *w)
{
	bool *told = cp_xcalloc(w->p->threads.len + 1, sizeof(*told));

	for (size_t i = 0; i < w->p->states.len; i++) {
		const struct cp_profile_state *s = &w->p->states.data[i];

		if (s->tone != CP_TONE_BLOCK || s->thread == CP_NO_ID)
			continue;
		if (!told[s->thread])
			put_track(w, s->thread);
		told[s->thread] = true;
		put_edge(w, s, true);
		put_edge(w, s, false);
	}
	free(told);
}

void
cp_perfetto_put_states(struct cp_perfetto *w)
{
	struct stints s = { 0 };

	collect_stints(&s, w->p);
	if (s.all.len != 0)
		qsort(s.all.data, s.all.len, sizeof(*s.all.data), stint_cmp);
	put_switches(w, &s);
	put_waits(w);
	cp_vec_free(&s.all);
	free(s.last);
}

void
cp_perfetto_put_losses(struct cp_perfetto *w)
{
	for (size_t i = 0; i < w->p->marks.len; i++) {
		const struct cp_profile_mark *m = &w->p->marks.data[i];

		if (m->kind != CP_SIDE_LOST)
			continue;
		cp_proto_always(
		    &w->field, PF_SAMPLE_CPU, m->cpu != CP_NO_ID ? m->cpu : 0);
		cp_proto_u64(&w->field, PF_SAMPLE_LOST, m->count);
		cp_proto_take(&w->packet, PF_PACKET_PERF_SAMPLE, &w->field);
		cp_perfetto_put(w, m->time != CP_NO_TIME ? m->time : w->start);
	}
}
