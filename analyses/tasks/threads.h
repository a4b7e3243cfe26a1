/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/threads.h: threads by their ids.
 */
#ifndef CP_ANALYSES_TASKS_THREADS_H
#define CP_ANALYSES_TASKS_THREADS_H

#include "analyses/tasks/task-state.h"

/* Returns the thread that has the tid now; NULL: never seen, or idle. */
struct cp_sched_thread *cp_taskstate_find(
    const struct cp_taskstate *, uint32_t tid);
/* Returns the thread of an index < n_threads. */
struct cp_sched_thread *cp_taskstate_thread(
    const struct cp_taskstate *, uint32_t index);
/* Returns the last name of the thread, ":TID" if it is not known. */
cp_string_id cp_sched_thread_name(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* True if --pid, --tid and --comm keep the thread. */
bool cp_thread_kept(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* Notes threads that --comm keeps under an earlier name only. */
void cp_threads_renamed_note(const struct cp_taskstate *, struct cp_report *);
/* Returns the thread's process; CP_NO_ID: not known. */
uint32_t cp_sched_thread_pid(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* Return the time when the thread's lifetime in the capture begins or ends. */
uint64_t cp_sched_thread_start(
    const struct cp_taskstate *, const struct cp_sched_thread *);
uint64_t cp_sched_thread_end(
    const struct cp_taskstate *, const struct cp_sched_thread *);

struct cp_sched_thread *cp_thread_new(struct cp_taskstate *, uint32_t tid);
/*
 * Returns the thread, made if it is new; NULL: the tid is idle, or not known.
 */
struct cp_sched_thread *cp_thread_get(struct cp_taskstate *, uint32_t tid);
/* Returns the last name of the tid's thread; 0: it is not known. */
cp_string_id cp_thread_comm(const struct cp_taskstate *, uint32_t tid);

#endif
