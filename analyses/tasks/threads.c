/* SPDX-License-Identifier: MIT */
/* threads: the threads of a capture, by tid, with their names and lifetimes. */
#include "analyses/tasks/threads.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

/* Threads of a chunk, which stay where they are. */
#define CHUNK 256u

struct cp_sched_thread *
cp_taskstate_thread(const struct cp_taskstate *ts, uint32_t i)
{
	return &ts->chunk[i / CHUNK][i % CHUNK];
}

static uint32_t
slot_of(const struct cp_taskstate *ts, uint32_t tid)
{
	uint32_t i = (uint32_t)(tid * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (i &= ts->mask; ts->slots[i] != 0; i = (i + 1) & ts->mask)
		if (cp_taskstate_thread(ts, ts->slots[i] - 1)->tid == tid)
			break;
	return i;
}

struct cp_sched_thread *
cp_taskstate_find(const struct cp_taskstate *ts, uint32_t tid)
{
	uint32_t i = ts->slots[slot_of(ts, tid)];

	return i != 0 ? cp_taskstate_thread(ts, i - 1) : NULL;
}

/* The slot holds the last thread that has the tid. */
static void
slots_grow(struct cp_taskstate *ts)
{
	uint32_t n = (ts->mask + 1) * 2;

	ts->slots = cp_run_alloc(ts->run, n * sizeof(*ts->slots));
	ts->mask = n - 1;
	for (uint32_t i = 0; i < ts->n_threads; i++)
		ts->slots[slot_of(ts, cp_taskstate_thread(ts, i)->tid)] = i + 1;
}

static void
chunks_grow(struct cp_taskstate *ts)
{
	uint32_t n = ts->n_threads / CHUNK;

	if (n == ts->n_chunks) {
		uint32_t more = n != 0 ? 2 * n : 16;
		struct cp_sched_thread **all =
		    cp_run_alloc(ts->run, more * sizeof(*all));

		if (n != 0)
			memcpy(all, ts->chunk, n * sizeof(*all));
		ts->chunk = all;
		ts->n_chunks = more;
	}
	ts->chunk[n] = cp_run_alloc(ts->run, CHUNK * sizeof(**ts->chunk));
}

/* True for a name that perf or the host made up. */
static bool
made_up(const char *s)
{
	return s[0] == ':' && s[1 + strspn(s + 1, "0123456789")] == '\0';
}

/* Returns 0 if the capture has no name. */
cp_string_id
cp_thread_comm(const struct cp_taskstate *ts, uint32_t tid)
{
	cp_string_id comm;
	uint32_t pid;

	if (!cp_run_thread(ts->run, tid, &pid, &comm) ||
	    made_up(cp_run_string(ts->run, comm)))
		return 0;
	return comm;
}

struct cp_sched_thread *
cp_thread_new(struct cp_taskstate *ts, uint32_t tid)
{
	struct cp_sched_thread *t;
	uint32_t slot;

	if (ts->n_threads % CHUNK == 0)
		chunks_grow(ts);
	if (ts->n_threads >= ts->mask / 2)
		slots_grow(ts);
	slot = slot_of(ts, tid);
	t = cp_taskstate_thread(ts, ts->n_threads);
	*t = (struct cp_sched_thread){ .index = ts->n_threads++,
		.tid = tid,
		.pid = CP_NO_ID,
		.comm = cp_thread_comm(ts, tid),
		.born = CP_NO_TIME,
		.ended = CP_NO_TIME,
		.early = CP_NO_TIME,
		.since = ts->first,
		.clear = ts->first,
		.cpu = CP_NO_ID,
		.letter = '?',
		.taker = CP_NO_ID,
		.waker = { .thread = CP_NO_ID, .cpu = CP_NO_ID } };
	ts->slots[slot] = t->index + 1;
	return t;
}

/* Returns NULL for the idle task, or if the event has no tid. */
struct cp_sched_thread *
cp_thread_get(struct cp_taskstate *ts, uint32_t tid)
{
	struct cp_sched_thread *t;

	if (tid == 0 || tid == CP_NO_ID)
		return NULL;
	t = cp_taskstate_find(ts, tid);
	return t != NULL && t->ended == CP_NO_TIME ? t : cp_thread_new(ts, tid);
}

cp_string_id
cp_sched_thread_name(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	cp_string_id comm = t->comm;
	char text[CP_SCHED_NAME];

	if (comm == 0 && cp_taskstate_find(ts, t->tid) == t)
		comm = cp_thread_comm(ts, t->tid);
	if (comm != 0)
		return comm;
	if (t->name[0] != '\0')
		return cp_run_intern(ts->run, t->name);
	snprintf(text, sizeof(text), ":%u", t->tid);
	return cp_run_intern(ts->run, text);
}

uint32_t
cp_sched_thread_pid(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	uint32_t pid = t->pid;
	cp_string_id comm;

	if (pid == CP_NO_ID && cp_taskstate_find(ts, t->tid) == t)
		(void)cp_run_thread(ts->run, t->tid, &pid, &comm);
	return pid;
}

uint64_t
cp_sched_thread_start(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return t->born != CP_NO_TIME ? t->born : ts->first;
}

uint64_t
cp_sched_thread_end(
    const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return t->ended != CP_NO_TIME ? t->ended : ts->last;
}

bool
cp_thread_kept(const struct cp_taskstate *ts, const struct cp_sched_thread *t)
{
	return cp_run_keeps_task(ts->run, cp_sched_thread_pid(ts, t), t->tid,
	    cp_sched_thread_name(ts, t));
}

void
cp_threads_renamed_note(const struct cp_taskstate *ts, struct cp_report *rep)
{
	struct cp_word word;
	uint64_t n = 0;

	for (uint32_t i = 0; i < ts->n_threads; i++) {
		const struct cp_sched_thread *t = cp_taskstate_thread(ts, i);

		n += t->was_kept && !cp_thread_kept(ts, t);
	}
	if (n != 0)
		cp_report_note(rep,
		    "threads that had a name of --comm and have another since: "
		    "%s; they are left out, since a thread is counted under "
		    "its last name",
		    cp_word_count(&word, n));
}
