/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/longest-waits.h: the longest waits for a CPU, and what
 * happened meanwhile.
 *
 * Each CPU's last CP_WORST_HISTORY switches are kept.  When one of the longest
 * waits ends, they tell which threads ran on its CPU during it, and how long
 * the other CPUs were idle.  A wait that began before the history is explained
 * in part.
 */
#ifndef CP_ANALYSES_SCHED_LONGEST_WAITS_H
#define CP_ANALYSES_SCHED_LONGEST_WAITS_H

#include <coldperf/plugin.h>

#include "analyses/sched/wait-account.h"

enum { CP_WORST_HISTORY = 4096, CP_WORST_RUNNERS = 3 };

struct cp_worst_wait {
	struct cp_queue_wait wait;
	uint64_t delay;
	/* The threads that ran on the CPU during the wait. */
	uint32_t runner[CP_WORST_RUNNERS]; /* index */
	uint64_t ran[CP_WORST_RUNNERS];
	uint32_t runners;    /* different ones */
	uint64_t idle;       /* of its own CPU */
	uint64_t known;      /* ns of the wait that the history covers */
	uint32_t idle_cpu;   /* the other CPU that was idle most; CP_NO_ID */
	uint64_t idle_other; /* ... that long */
};

struct cp_worst_cpu;
struct cp_worst {
	struct cp_run *run;
	struct cp_runqueue *queue;
	struct cp_worst_wait *wait; /* a heap, the shortest first */
	uint32_t n, cap;
	uint32_t waits; /* since those held back were looked at again */
	struct cp_worst_cpu *cpu;
	uint32_t n_cpus;
	uint64_t *ran; /* by thread, while one wait is explained */
	uint32_t ran_cap;
};

void cp_worst_init(
    struct cp_worst *, struct cp_run *, struct cp_runqueue *, uint32_t count);
/*
 * Checks that the thread that leaves its CPU is the one that had it; else it is
 * unknown who had it.  Call it before waits that end with the event are added.
 */
void cp_worst_leave(struct cp_worst *, const struct cp_sched_event *);
/* Counts an event; call it after tasks has handled it. */
void cp_worst_event(struct cp_worst *, const struct cp_sched_event *);
void cp_worst_wait(struct cp_worst *, const struct cp_queue_wait *);
/*
 * Looks again at the waits that the queue holds back: a loss may have been told
 * since, which makes room, and a thread may have another name.
 */
void cp_worst_again(struct cp_worst *);
/*
 * Sorts the waits, longest first; no wait may be added afterwards.  Call it
 * when the queue has finished.
 */
void cp_worst_sort(struct cp_worst *);

#endif
