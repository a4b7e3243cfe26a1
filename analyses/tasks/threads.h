/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/threads.h: threads by their ids.
 */
#ifndef CP_ANALYSES_TASKS_THREADS_H
#define CP_ANALYSES_TASKS_THREADS_H

#include "analyses/tasks/task-state.h"

/* The thread that has the tid now; NULL: never seen, or idle. */
struct cp_sched_thread *cp_taskstate_find(
    const struct cp_taskstate *, uint32_t tid);
/* By index < n_threads. */
struct cp_sched_thread *cp_taskstate_thread(
    const struct cp_taskstate *, uint32_t index);
/* The last name it had, ":TID" if it was never told. */
cp_string_id cp_sched_thread_name(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* Its process; CP_NO_ID. */
uint32_t cp_sched_thread_pid(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* Where its lifetime in the capture begins and ends. */
uint64_t cp_sched_thread_start(
    const struct cp_taskstate *, const struct cp_sched_thread *);
uint64_t cp_sched_thread_end(
    const struct cp_taskstate *, const struct cp_sched_thread *);

struct cp_sched_thread *cp_thread_new(struct cp_taskstate *, uint32_t tid);
/* NULL: it is idle, or not told. */
struct cp_sched_thread *cp_thread_get(struct cp_taskstate *, uint32_t tid);
/* 0: it was never told. */
cp_string_id cp_thread_comm(const struct cp_taskstate *, uint32_t tid);

#endif
