/* SPDX-License-Identifier: MIT */
#include "analyses/tasks/task-groups.h"

void
cp_task_groups_sample(struct cp_task_groups *g, const struct cp_sample *s)
{
	const struct cp_sched_thread *t =
	    s->cgroup != 0 ? cp_spans_find(g->spans, s->tid) : NULL;

	if (t == NULL)
		return;
	cp_grow_to(g->run, g->of, &g->cap, t->index);
	g->of[t->index] = s->cgroup;
	g->any = true;
}
