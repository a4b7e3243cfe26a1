/* SPDX-License-Identifier: MIT */
#include "analyses/profile/marks.h"

void
cp_marks_init(struct cp_marks *m, struct cp_run *run, uint32_t max)
{
	*m = (struct cp_marks){ .run = run, .max = max };
}

/* True for marks of a CPU, which have no thread. */
static bool
is_of_cpu(uint8_t kind)
{
	return kind == CP_SIDE_LOST || kind == CP_SIDE_THROTTLE ||
	       kind == CP_SIDE_UNTHROTTLE;
}

/* perf describes what there was before, and adds up losses, in records of
 * time 0. */
static uint64_t
moment_of(const struct cp_sideband *e)
{
	return e->time == 0 ? CP_NO_TIME : e->time;
}

static bool
is_mark(struct cp_run *run, const struct cp_sideband *e)
{
	if (e->kind == CP_SIDE_SWITCH_IN || e->kind == CP_SIDE_SWITCH_OUT)
		return false;
	if (moment_of(e) == CP_NO_TIME)
		return is_of_cpu(e->kind) && cp_run_keeps_cpu(run, e->cpu);
	return (!is_of_cpu(e->kind) || cp_run_keeps_cpu(run, e->cpu)) &&
	       cp_run_keeps_time(run, e->time);
}

void
cp_marks_add(
    struct cp_marks *m, struct cp_threads *t, const struct cp_sideband *e)
{
	if (m->n >= m->max || !is_mark(m->run, e))
		return;
	cp_grow_to(m->run, m->all, &m->cap, m->n);
	m->all[m->n++] = (struct cp_mark){
		.time = moment_of(e),
		.count = e->kind == CP_SIDE_LOST ? e->lost : 0,
		.life = is_of_cpu(e->kind) ? CP_NO_ID
					   : cp_threads_life(t, e->pid, e->tid),
		.cpu = e->cpu,
		.comm = e->comm,
		.kind = e->kind,
	};
}

uint32_t
cp_marks_show(
    const struct cp_marks *m, const struct cp_threads *t, struct cp_profile *p)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct cp_mark *mark = &m->all[i];
		uint32_t thread =
		    mark->life != CP_NO_ID
			? cp_threads_find(t, mark->life, mark->comm)
			: CP_NO_ID;

		if (thread == CP_NO_ID && !is_of_cpu(mark->kind))
			continue;
		cp_profile_mark(
		    p, &(struct cp_profile_mark){
			   .time = mark->time,
			   .thread = cp_threads_number(t, thread),
			   .cpu = mark->cpu,
			   .kind = mark->kind,
			   .count = mark->count,
			   .text = mark->kind == CP_SIDE_COMM
				       ? cp_run_string(m->run, mark->comm)
				       : NULL,
		       });
		shown++;
	}
	return shown;
}
