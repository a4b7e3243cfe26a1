/* SPDX-License-Identifier: MIT */
/* sideband: passes records other than samples to the analyses. */
#include "run/api.h"

#include "run/facts/facts.h"

static bool
from_switch(const struct cp_event *ev, struct cp_sideband *out)
{
	bool away = (ev->misc & CP_MISC_SWITCH_OUT) != 0;

	out->kind = away ? CP_SIDE_SWITCH_OUT : CP_SIDE_SWITCH_IN;
	out->preempted = away && (ev->misc & CP_MISC_SWITCH_OUT_PREEMPT) != 0;
	if (ev->type == CP_RECORD_SWITCH_CPU_WIDE) {
		out->other_pid = ev->u.sw.next_prev_pid;
		out->other_tid = ev->u.sw.next_prev_tid;
	}
	return true;
}

static bool
from_task(const struct cp_event *ev, struct cp_sideband *out)
{
	out->kind = ev->type == CP_RECORD_FORK ? CP_SIDE_FORK : CP_SIDE_EXIT;
	out->pid = ev->u.task.pid;
	out->tid = ev->u.task.tid;
	out->other_pid = ev->u.task.ppid;
	out->other_tid = ev->u.task.ptid;
	return true;
}

static bool
from_comm(const struct cp_event *ev, struct cp_sideband *out)
{
	out->kind = CP_SIDE_COMM;
	out->exec = (ev->misc & CP_MISC_EXEC) != 0;
	out->pid = ev->u.comm.pid;
	out->tid = ev->u.comm.tid;
	return true;
}

static bool
from_event(const struct cp_event *ev, struct cp_sideband *out)
{
	switch (ev->type) {
	case CP_RECORD_SWITCH:
	case CP_RECORD_SWITCH_CPU_WIDE: return from_switch(ev, out);
	case CP_RECORD_FORK:
	case CP_RECORD_EXIT: return from_task(ev, out);
	case CP_RECORD_COMM: return from_comm(ev, out);
	case CP_RECORD_LOST:
	case CP_RECORD_LOST_SAMPLES:
		out->kind = CP_SIDE_LOST;
		out->lost = ev->u.lost.lost;
		return ev->type == CP_RECORD_LOST ||
		       (ev->misc & CP_MISC_FILTERED) == 0;
	case CP_RECORD_THROTTLE: out->kind = CP_SIDE_THROTTLE; return true;
	case CP_RECORD_UNTHROTTLE: out->kind = CP_SIDE_UNTHROTTLE; return true;
	default: return false;
	}
}

int
cp_run_sideband(struct cp_run *run, const struct cp_queued *q)
{
	struct cp_sideband out = { .time = q->time,
		.pid = q->pid,
		.tid = q->tid,
		.cpu = q->cpu,
		.other_pid = CP_NO_ID,
		.other_tid = CP_NO_ID };
	uint32_t pid;
	int status = CP_OK;

	if (!from_event(q->event, &out))
		return CP_OK;
	run->switches |= out.kind == CP_SIDE_SWITCH_OUT;
	if (out.kind == CP_SIDE_SWITCH_OUT || out.kind == CP_SIDE_SWITCH_IN)
		cp_run_starts(run, out.time);
	if (!run->want_sideband)
		return CP_OK;
	(void)cp_run_thread(run, out.tid, &pid, &out.comm);
	if (run->spans != NULL)
		cp_taskstate_sideband(run->spans, &out);
	for (size_t i = 0; i < run->tasks.len && status == CP_OK; i++) {
		struct cp_task *t = &run->tasks.data[i];

		if (t->analysis->event == NULL)
			continue;
		run->current = t;
		status = t->analysis->event(run, t->state, &out);
	}
	return status;
}
