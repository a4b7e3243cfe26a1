/* SPDX-License-Identifier: MIT */
#include "analyses/profile/threads.h"

#include <string.h>

void
cp_threads_init(struct cp_threads *t, struct cp_run *run)
{
	*t = (struct cp_threads){ .run = run };
	cp_index_init(&t->ids, run);
	cp_index_init(&t->keys, run);
}

static uint32_t
new_life(struct cp_threads *t, uint32_t pid, uint32_t tid)
{
	cp_grow_to(t->run, t->life, &t->life_cap, t->lives);
	t->life[t->lives] = (struct cp_life){
		.pid = pid, .tid = tid, .start = CP_NO_TIME, .end = CP_NO_TIME
	};
	return t->lives++;
}

uint32_t
cp_threads_life(struct cp_threads *t, uint32_t pid, uint32_t tid)
{
	uint32_t known = t->ids.n, id = cp_index_put(&t->ids, pid, tid);

	cp_grow_to(t->run, t->life_of, &t->life_of_cap, id);
	if (id == known)
		t->life_of[id] = new_life(t, pid, tid);
	return t->life_of[id];
}

/* Returns the current name of the process' first thread; 0: not known. */
static cp_string_id
process_name(const struct cp_threads *t, uint32_t pid)
{
	cp_string_id comm = 0;
	uint32_t of;

	if (pid == CP_NO_ID || !cp_run_thread(t->run, pid, &of, &comm))
		return 0;
	return of == pid ? comm : 0;
}

uint32_t
cp_threads_life_at(
    struct cp_threads *t, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint32_t life = cp_threads_life(t, pid, tid);

	while (t->life[life].before != 0 && t->life[life].start != CP_NO_TIME &&
	       t->life[life].start > time)
		life = t->life[life].before - 1;
	return life;
}

uint32_t
cp_threads_add(struct cp_threads *t, uint32_t life, cp_string_id comm)
{
	uint32_t known = t->keys.n;
	uint32_t row = cp_index_put(&t->keys, life, comm);

	if (row == known) {
		cp_grow_to(t->run, t->row, &t->row_cap, row);
		t->row[row] = (struct cp_thread_row){ .life = life,
			.comm = comm,
			.process = process_name(t, t->life[life].pid) };
		if (t->life[life].row == 0)
			t->life[life].row = row + 1;
	}
	return row;
}

uint32_t
cp_threads_row(
    struct cp_threads *t, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	struct cp_recent_thread *r = &t->recent[tid % CP_THREADS_RECENT];

	if (r->row == 0 || r->tid != tid || r->pid != pid || r->comm != comm)
		*r = (struct cp_recent_thread){
			.pid = pid,
			.tid = tid,
			.comm = comm,
			.row = cp_threads_add(
				   t, cp_threads_life(t, pid, tid), comm) +
			       1,
		};
	return r->row - 1;
}

/*
 * Begins a new life of the ids if the thread was seen before: its tid was
 * reused.
 */
static void
begin_life(struct cp_threads *t, const struct cp_sideband *e)
{
	uint32_t known = t->ids.n, id;
	uint32_t life = cp_threads_life(t, e->pid, e->tid);

	if (t->ids.n == known) {
		id = cp_index_get(&t->ids, e->pid, e->tid);
		t->life_of[id] = new_life(t, e->pid, e->tid);
		t->life[t->life_of[id]].before = life + 1;
		life = t->life_of[id];
		t->recent[e->tid % CP_THREADS_RECENT].row = 0;
	}
	t->life[life].start = e->time;
}

void
cp_threads_event(struct cp_threads *t, const struct cp_sideband *e)
{
	uint32_t life;

	/*
	 * perf describes threads that existed before the recording with records
	 * of time 0.
	 */
	if (e->time == 0 || e->time == CP_NO_TIME || e->tid == CP_NO_ID)
		return;
	if (e->kind == CP_SIDE_FORK)
		begin_life(t, e);
	if (e->kind != CP_SIDE_EXIT)
		return;
	life = cp_threads_life(t, e->pid, e->tid); /* t->life may move */
	t->life[life].end = e->time;
}

uint32_t
cp_threads_find(const struct cp_threads *t, uint32_t life, cp_string_id comm)
{
	uint32_t row = cp_index_get(&t->keys, life, comm);

	return row != CP_NO_ID ? row : t->life[life].row - 1;
}

void
cp_threads_show(const struct cp_threads *t, struct cp_profile *p)
{
	for (uint32_t i = 0; i < t->keys.n; i++) {
		const struct cp_thread_row *r = &t->row[i];
		const struct cp_life *life = &t->life[r->life];

		cp_profile_thread(
		    p, &(struct cp_profile_thread){
			   .pid = life->pid,
			   .tid = life->tid,
			   .name = cp_run_string(t->run, r->comm),
			   .process = r->process != 0
					  ? cp_run_string(t->run, r->process)
					  : NULL,
			   .start = life->start,
			   .end = life->end,
		       });
	}
}
