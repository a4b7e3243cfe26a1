/* SPDX-License-Identifier: MIT */
/*
 * apply: applies each event to the session.  A sample gets its ids: thread,
 * event, stack.
 */
#include "model/thread.h"

#include "base/limits.h"

/* ---------------------------------------------------------------- samples */

static inline void
count_time(struct cp_quality *q, uint64_t time)
{
	if (time >= CP_AFTER_ALL)
		return;
	if (q->first_time == CP_NO_TIME || time < q->first_time)
		q->first_time = time;
	if (q->last_time == CP_NO_TIME || time > q->last_time)
		q->last_time = time;
}

static inline void
count_sample(struct cp_session *s, const struct cp_queued *q,
    struct cp_evsel_info *ev, struct cp_sample *out)
{
	/* No sum of some periods can wrap if that of all does not. */
	if (CP_UNLIKELY(out->period > s->period_room)) {
		cp_diag_at(
		    s->diags, CP_D_PERIOD, q->offset, "%" PRIu64, out->period);
		out->period = out->weight = 0;
	}
	s->period_room -= out->period;
	s->quality->samples++;
	count_time(s->quality, q->time);
	ev->pub.samples++;
	ev->pub.period += out->period;
}

/* Counts what the stack lacks.  The chain of *q can differ from s->chain. */
static void
count_stack(struct cp_session *s, const struct cp_queued *q,
    const struct cp_evsel_info *ev)
{
	const struct cp_chain *all = s->chains.all.data;
	struct cp_quality *quality = s->quality;
	bool early = q->early.generation != 0;

	if (CP_UNLIKELY(early ? q->early.unmapped : all[s->chain].unmapped)) {
		quality->unmapped_ips++;
		cp_diag_at(s->diags, CP_D_UNMAPPED_IP, q->offset,
		    "ip=0x%" PRIx64, q->ip);
	}
	if (CP_UNLIKELY(early ? q->early.truncated
			      : cp_chain_truncated(all[q->chain].n, &ev->attr)))
		quality->truncated_chains++;
	if (CP_UNLIKELY(!early && all[s->chain].lost != 0)) {
		quality->lost_callers++;
		quality->inferred_callers +=
		    (all[s->chain].lost & CP_FRAME_GUESSED) != 0;
	}
}

static void
count_user_stack(struct cp_session *s, const struct cp_thread *t,
    const struct cp_queued *q, struct cp_sample *out)
{
	struct cp_quality *quality = s->quality;

	if (out->unwound == CP_UNWIND_NONE)
		cp_session_told_end(s, t->process, q, out);
	quality->user_stacks++;
	quality->unwound += out->unwound != CP_UNWIND_NONE;
	quality->unwound_part += out->unwound > CP_UNWIND_COMPLETE;
}

/*
 * True if the copied stack is to be unwound.  A branch stack of calls is better
 * and is used instead.
 */
static bool
has_stack(const struct cp_session *s, const struct cp_queued *q)
{
	const struct cp_evsel_info *ev = s->rec->evsels.all.data[q->evsel];

	return s->unwind != NULL && q->event != NULL &&
	       (ev->attr.sample_type & CP_SAMPLE_STACK_USER) != 0 &&
	       (s->unwind_always || q->event->u.sample.branch_nr == 0 ||
		   (ev->attr.branch_sample_type >> CP_BRANCH_CALL_STACK & 1) ==
		       0);
}

/* Copies the fields that few samples have. */
static void
add_payload(struct cp_session *s, const struct cp_ev_sample *from,
    struct cp_sample *out)
{
	out->addr = from->addr;
	out->cgroup =
	    from->cgroup != 0 ? cp_session_cgroup_of(s, from->cgroup) : 0;
	out->raw = from->raw;
	out->raw_size = from->raw_size;
	out->latency = from->weight;
	out->data_src = from->data_src;
	out->phys_addr = from->phys_addr;
	out->data_page_size = from->data_page_size;
	out->code_page_size = from->code_page_size;
	out->branches = (uint32_t)from->branch_nr;
}

/* Sets field by field: clearing the struct first doubles the cost. */
static inline void
fill_sample(struct cp_thread *t, const struct cp_queued *q,
    const struct cp_evsel_info *ev, uint64_t period, struct cp_sample *out)
{
	out->time = q->time;
	out->ip = q->ip;
	out->period = out->weight = period;
	out->pid = q->pid;
	out->tid = q->tid;
	out->cpu = q->cpu;
	out->evsel = ev->pub.index;
	out->comm = t->comm;
	out->level = q->misc & CP_MISC_CPUMODE;
	out->unwound = CP_UNWIND_NONE;
	out->unwound_dso = 0;
	out->kept = true;
	out->addr = out->cgroup = 0;
	out->latency = out->data_src = out->phys_addr = 0;
	out->data_page_size = out->code_page_size = 0;
	out->branches = 0;
	out->raw = q->raw;
	out->raw_size = q->raw_size;
}

static void
find_stack(struct cp_session *s, const struct cp_thread *t,
    const struct cp_queued *q, struct cp_sample *out)
{
	s->chain = q->chain;
	if (q->early.generation != 0) {
		out->stack = q->early.stack;
		out->unwound = q->early.end;
		out->unwound_dso = q->early.dso;
	} else {
		if (CP_UNLIKELY(has_stack(s, q)))
			s->chain = cp_session_unwind(s, t->process, q, out);
		else if (CP_UNLIKELY(s->stitch_lbr) && q->event != NULL)
			s->chain = cp_session_stitch(s, q);
		else if (CP_UNLIKELY(s->unwind != NULL && q->event != NULL &&
				     q->event->u.sample.user_regs != NULL))
			s->chain = cp_session_leaf_caller(s, t->process, q);
		out->stack =
		    s->chain != 0 ? cp_session_stack(s, t->process, q) : 0;
	}
}

static void
make_sample(struct cp_session *s, const struct cp_queued *q,
    struct cp_evsel_info *ev, uint64_t period, struct cp_sample *out)
{
	struct cp_thread *t = cp_session_thread(s, q->pid, q->tid);

	fill_sample(t, q, ev, period, out);
	find_stack(s, t, q, out);
	if (CP_UNLIKELY(q->event != NULL))
		add_payload(s, &q->event->u.sample, out);
	count_sample(s, q, ev, out);
	if (q->early.generation != 0 || (s->chain | q->chain) != 0)
		count_stack(s, q, ev);
	if (CP_UNLIKELY((ev->attr.sample_type & CP_SAMPLE_STACK_USER) != 0))
		count_user_stack(s, t, q, out);
}

void
cp_session_uncounted(
    struct cp_session *s, const struct cp_queued *q, struct cp_sample *out)
{
	struct cp_thread *t = cp_session_thread(s, q->pid, q->tid);

	fill_sample(t, q, s->rec->evsels.all.data[q->evsel], 0, out);
	find_stack(s, t, q, out);
}

void
cp_session_plain(
    struct cp_session *s, const struct cp_queued *q, struct cp_sample *out)
{
	struct cp_evsel_info *ev = s->rec->evsels.all.data[q->evsel];
	struct cp_thread *t;

	if (CP_UNLIKELY(q->time > s->jit_due))
		cp_session_jit_advance(s, q->time);
	t = cp_session_thread(s, q->pid, q->tid);
	fill_sample(t, q, ev, q->period, out);
	out->reading = 0;
	out->enabled = out->running = 0;
	out->stack = 0;
	s->chain = q->chain;
	count_sample(s, q, ev, out);
	if (q->chain != 0) {
		out->stack = cp_session_stack(s, t->process, q);
		count_stack(s, q, ev);
	}
	if (CP_UNLIKELY((ev->attr.sample_type & CP_SAMPLE_STACK_USER) != 0))
		count_user_stack(s, t, q, out);
}

/* True if the mappings are still those that the early unwinding used. */
static bool
early_is_valid(struct cp_session *s, const struct cp_queued *q)
{
	struct cp_process *p = cp_session_thread(s, q->pid, q->tid)->process;

	return cp_session_space(s, p)->generation == q->early.generation &&
	       (p == NULL || p->jit == NULL);
}

static int
apply_sample(struct cp_session *s, const struct cp_queued *q, uint32_t *cursor,
    struct cp_sample *out)
{
	struct cp_evsel_info *ev;
	struct cp_counter grew = { .value = q->period };
	struct cp_queued now;
	struct cp_event event;
	bool reads;

	if (q->evsel == CP_NO_ID) {
		s->quality->samples_unknown_id++;
		cp_diag_at(s->diags, CP_D_UNKNOWN_ID, q->offset, NULL);
		return 0;
	}
	if (CP_UNLIKELY(q->early.generation != 0) && *cursor == 0 &&
	    !early_is_valid(s, q)) {
		(void)cp_session_again(s, q, &now, &event);
		q = &now;
	}
	ev = s->rec->evsels.all.data[q->evsel];
	reads = q->event != NULL && q->event->u.sample.read != NULL;
	if (reads) {
		if (!cp_session_read(s, q, cursor, &ev, &grew))
			return 0;
	} else if ((*cursor)++ != 0) {
		return 0;
	}
	make_sample(s, q, ev, grew.value, out);
	out->reading = reads ? s->readings : 0;
	out->enabled = grew.enabled;
	out->running = grew.running;
	return 1;
}

/* ------------------------------------------------------------------ losses */

static void
apply_lost(struct cp_session *s, const struct cp_event *ev)
{
	const struct cp_ev_lost *l = &ev->u.lost;
	struct cp_evsel_info *e = cp_evsels_find(&s->rec->evsels, l->id);

	if (e == NULL && s->rec->evsels.all.len == 1)
		e = s->rec->evsels.all.data[0];
	if (ev->type == CP_RECORD_LOST) {
		s->quality->lost = cp_sum(s->quality->lost, l->lost);
		cp_diag_at(s->diags, CP_D_LOST, ev->offset,
		    "%" PRIu64 " record%s", l->lost, cp_s(l->lost));
		if (e != NULL)
			e->pub.lost = cp_sum(e->pub.lost, l->lost);
	} else if (ev->type == CP_RECORD_LOST_SAMPLES) {
		s->quality->lost_samples =
		    cp_sum(s->quality->lost_samples, l->lost);
		cp_diag_at(s->diags, CP_D_LOST_SAMPLES, ev->offset,
		    "%" PRIu64 " sample%s", l->lost, cp_s(l->lost));
		if (e != NULL)
			e->pub.lost_samples =
			    cp_sum(e->pub.lost_samples, l->lost);
	} else {
		s->quality->throttled++;
		cp_diag_at(s->diags, CP_D_THROTTLED, ev->offset, NULL);
		if (e != NULL)
			e->pub.throttled++;
	}
}

static void
apply_event(struct cp_session *s, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2: cp_session_mmap(s, ev); break;
	case CP_RECORD_COMM:
		cp_session_comm(
		    s, &ev->u.comm, (ev->misc & CP_MISC_EXEC) != 0, ev->time);
		break;
	case CP_RECORD_FORK:
		cp_session_fork(
		    s, &ev->u.task, (ev->misc & CP_MISC_SYNTH_FORK) == 0);
		break;
	case CP_RECORD_EXIT: cp_session_exit(s, &ev->u.task); break;
	case CP_RECORD_NAMESPACES: cp_session_namespaces(s, &ev->u.ns); break;
	case CP_RECORD_LOST:
	case CP_RECORD_LOST_SAMPLES:
	case CP_RECORD_THROTTLE: apply_lost(s, ev); break;
	case CP_RECORD_KSYMBOL: cp_session_ksymbol(s, &ev->u.ksymbol); break;
	case CP_RECORD_CGROUP: cp_session_cgroup(s, &ev->u.cgroup); break;
	case CP_RECORD_HEADER_BUILD_ID:
		cp_session_build_id(s, &ev->u.build_id);
		break;
	default: break;
	}
}

int
cp_session_apply(struct cp_session *s, const struct cp_queued *q,
    uint32_t *cursor, struct cp_sample *out)
{
	if (CP_UNLIKELY(q->time > s->jit_due) && q->time != CP_NO_TIME)
		cp_session_jit_advance(s, q->time);
	if (q->type16 == CP_RECORD_SAMPLE)
		return apply_sample(s, q, cursor, out);
	apply_event(s, q->event);
	return 0;
}
