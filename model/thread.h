/* SPDX-License-Identifier: MIT */
/* model/thread.h: processes and threads through COMM, FORK, EXIT and exec. */
#ifndef CP_MODEL_THREAD_H
#define CP_MODEL_THREAD_H

#include "model/session-state.h"

struct cp_thread *cp_session_thread_(
    struct cp_session *, uint32_t pid, uint32_t tid);
/* Finds or makes the thread.  Moves it to process pid if it had another. */
static inline struct cp_thread *
cp_session_thread(struct cp_session *s, uint32_t pid, uint32_t tid)
{
	uint32_t i = s->recent[tid % CP_RECENT_THREADS];

	if (CP_LIKELY(i != 0 && s->thread.data[i - 1].tid == tid &&
		      s->thread.data[i - 1].pid == pid))
		return &s->thread.data[i - 1];
	return cp_session_thread_(s, pid, tid);
}
void cp_session_fork(
    struct cp_session *, const struct cp_ev_task *, bool copy_maps);
void cp_session_exit(struct cp_session *, const struct cp_ev_task *);
/* time: of an exec; 0: not known. */
void cp_session_comm(
    struct cp_session *, const struct cp_ev_comm *, bool exec, uint64_t time);

#endif
