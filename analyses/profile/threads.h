/* SPDX-License-Identifier: MIT */
/*
 * analyses/profile/threads.h: the threads of a profile.
 *
 * A life is a thread from FORK to EXIT; its id may be used again for another.
 * A row is a life under one name.  Rows are numbered in the order of their
 * first sample, from 0.
 */
#ifndef CP_ANALYSES_PROFILE_THREADS_H
#define CP_ANALYSES_PROFILE_THREADS_H

#include <coldperf/profile.h>

enum { CP_THREADS_RECENT = 64 };

struct cp_life {
	uint32_t pid, tid;
	uint32_t before; /* the life of the same ids before it + 1; 0: none */
	uint32_t row;    /* its first row's number + 1; 0: none */
	uint64_t start, end;
};

struct cp_thread_row {
	uint32_t life;
	cp_string_id comm, process; /* process: 0, not known */
};

struct cp_recent_thread {
	uint32_t pid, tid;
	cp_string_id comm;
	uint32_t row; /* number + 1; 0: none */
};

struct cp_threads {
	struct cp_run *run;
	struct cp_index ids; /* (pid, tid) */
	uint32_t *life_of;   /* the newest life by number of ids */
	uint32_t life_of_cap;
	struct cp_life *life;
	uint32_t lives, life_cap;
	struct cp_index keys; /* (life, comm): numbers of rows */
	struct cp_thread_row *row;
	uint32_t row_cap;
	struct cp_recent_thread recent[CP_THREADS_RECENT];
	uint32_t first; /* number of its first row in the profile */
};

void cp_threads_init(struct cp_threads *, struct cp_run *);
/* Returns the row of a thread under that name, which is now its name. */
uint32_t cp_threads_row(
    struct cp_threads *, uint32_t pid, uint32_t tid, cp_string_id comm);
/* Returns the life that a thread has now. */
uint32_t cp_threads_life(struct cp_threads *, uint32_t pid, uint32_t tid);
/* Returns the life that a thread had at that time. */
uint32_t cp_threads_life_at(
    struct cp_threads *, uint32_t pid, uint32_t tid, uint64_t time);
/* Returns the row of a life under that name, adding it if needed. */
uint32_t cp_threads_add(struct cp_threads *, uint32_t life, cp_string_id comm);
/* Takes note of FORK and EXIT. */
void cp_threads_event(struct cp_threads *, const struct cp_sideband *);
/*
 * Returns the row of a life under that name, or else its first one; CP_NO_ID:
 * it has none.
 */
uint32_t cp_threads_find(
    const struct cp_threads *, uint32_t life, cp_string_id comm);
/* Returns the number of a row in the profile; CP_NO_ID stays. */
static inline uint32_t
cp_threads_number(const struct cp_threads *t, uint32_t row)
{
	return row != CP_NO_ID ? t->first + row : CP_NO_ID;
}
/* Adds all rows, in their order. */
void cp_threads_show(const struct cp_threads *, struct cp_profile *);

#endif
