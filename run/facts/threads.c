/* SPDX-License-Identifier: MIT */
/* threads: the threads of a capture, by tid, with their names and lifetimes. */
#include "run/facts/facts.h"

#include <stdio.h>
#include <string.h>

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

static void
chunks_grow(struct cp_taskstate *ts)
{
	uint32_t n = ts->pub.n_threads / CHUNK;

	if (n == ts->n_chunks) {
		uint32_t more = n != 0 ? 2 * n : 16;
		struct cp_sched_thread **all =
		    cp_run_alloc(ts->pub.run, more * sizeof(*all));

		if (n != 0)
			memcpy(all, ts->chunk, n * sizeof(*all));
		ts->chunk = all;
		ts->n_chunks = more;
	}
	ts->chunk[n] = cp_run_alloc(ts->pub.run, CHUNK * sizeof(**ts->chunk));
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

	if (!cp_run_thread(ts->pub.run, tid, &pid, &comm) ||
	    made_up(cp_run_string(ts->pub.run, comm)))
		return 0;
	return comm;
}

struct cp_sched_thread *
cp_thread_new(struct cp_taskstate *ts, uint32_t tid)
{
	struct cp_sched_thread *t;
	uint32_t slot;

	if (ts->pub.n_threads % CHUNK == 0)
		chunks_grow(ts);
	if (ts->pub.n_threads >= ts->mask / 2) {
		/* The slot holds the last thread that has the tid. */
		uint32_t n = (ts->mask + 1) * 2;

		ts->slots = cp_run_alloc(ts->pub.run, n * sizeof(*ts->slots));
		ts->mask = n - 1;
		for (uint32_t i = 0; i < ts->pub.n_threads; i++)
			ts->slots[slot_of(
			    ts, cp_taskstate_thread(ts, i)->tid)] = i + 1;
	}
	slot = slot_of(ts, tid);
	t = cp_taskstate_thread(ts, ts->pub.n_threads);
	*t = (struct cp_sched_thread){ .index = ts->pub.n_threads++,
		.tid = tid,
		.pid = CP_NO_ID,
		.comm = cp_thread_comm(ts, tid),
		.born = CP_NO_TIME,
		.ended = CP_NO_TIME,
		.early = CP_NO_TIME,
		.since = ts->pub.first,
		.clear = ts->pub.first,
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

/* ---------------------------------------------------------------- to read */

const struct cp_sched_thread *
cp_spans_thread(const struct cp_spans *s, uint32_t index)
{
	return cp_taskstate_thread((const struct cp_taskstate *)s, index);
}

const struct cp_sched_thread *
cp_spans_find(const struct cp_spans *s, uint32_t tid)
{
	return cp_taskstate_find((const struct cp_taskstate *)s, tid);
}

cp_string_id
cp_sched_thread_name(const struct cp_spans *s, const struct cp_sched_thread *t)
{
	cp_string_id comm = t->comm;
	char text[CP_SCHED_NAME];

	if (comm == 0 && cp_spans_find(s, t->tid) == t)
		comm = cp_thread_comm((const struct cp_taskstate *)s, t->tid);
	if (comm != 0)
		return comm;
	if (t->name[0] != '\0')
		return cp_run_intern(s->run, t->name);
	snprintf(text, sizeof(text), ":%u", t->tid);
	return cp_run_intern(s->run, text);
}

uint32_t
cp_sched_thread_pid(const struct cp_spans *s, const struct cp_sched_thread *t)
{
	uint32_t pid = t->pid;
	cp_string_id comm;

	if (pid == CP_NO_ID && cp_spans_find(s, t->tid) == t)
		(void)cp_run_thread(s->run, t->tid, &pid, &comm);
	return pid;
}

bool
cp_sched_thread_kept(const struct cp_spans *s, const struct cp_sched_thread *t)
{
	return cp_run_keeps_task(s->run, cp_sched_thread_pid(s, t), t->tid,
	    cp_sched_thread_name(s, t));
}

uint64_t
cp_sched_thread_start(const struct cp_spans *s, const struct cp_sched_thread *t)
{
	return t->born != CP_NO_TIME ? t->born : s->first;
}

uint64_t
cp_sched_thread_end(const struct cp_spans *s, const struct cp_sched_thread *t)
{
	return t->ended != CP_NO_TIME ? t->ended : s->last;
}

enum cp_sched_source
cp_spans_source(const struct cp_spans *s)
{
	if (s->seen[CP_SCHED_SWITCH] != 0)
		return CP_SCHED_BY_SWITCH;
	if (s->seen[CP_SCHED_IN] != 0)
		return CP_SCHED_BY_RECORDS;
	return CP_SCHED_BY_NOTHING;
}

bool
cp_spans_tasks_only(const struct cp_spans *s)
{
	return cp_run_scope(s->run) == CP_SCOPE_TASKS && !s->idles;
}
