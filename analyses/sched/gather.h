/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/gather.h: the state that `sched` collects from the scheduler's
 * events.
 *
 * This room says how long threads waited for a CPU: delays.c, longest-waits.c,
 * cpu-load.c and switch-rows.c collect, the others are the tables.  It may use
 * include/coldperf and analyses/common.  Begin in gather.c,
 * which hands each event to all of them.
 */
#ifndef CP_ANALYSES_SCHED_GATHER_H
#define CP_ANALYSES_SCHED_GATHER_H

#include <coldperf/plugin.h>

#include "analyses/sched/cpu-load.h"
#include "analyses/sched/longest-waits.h"
#include "analyses/sched/wait-account.h"
#include "analyses/sched/switch-rows.h"
#include "analyses/tasks/task-groups.h"

enum { CP_SCHED_WAKERS = 32 };

/* Sums over the spans of a thread. */
struct cp_sched_sum {
	uint64_t ns[CP_SPAN_KINDS];
	uint64_t ran;  /* ns on the CPU that --time and --cpu keep */
	uint64_t open; /* spans cut off by the capture's start or end */
	uint64_t wakeups;
	/*
	 * A cache of wakers with their counts.  A waker is the index of a
	 * thread or one of the two constants below.
	 */
	uint32_t waker[CP_SCHED_WAKERS], times[CP_SCHED_WAKERS];
};

/* Wakers that are not threads: an interrupt handler, the idle task. */
#define CP_SCHED_INTERRUPT (CP_NO_ID - 1)
#define CP_SCHED_IDLE (CP_NO_ID - 2)

struct cp_sched {
	struct cp_run *run;
	const struct cp_spans *tasks;
	struct cp_runqueue queue;
	struct cp_cpu_load load;
	struct cp_worst worst;
	struct cp_tally *wakers;         /* thread, waker */
	struct cp_slab sums;             /* cp_sched_sum, by thread index */
	struct cp_schedrows rows, moves; /* of --timehist, of --map */
	struct cp_task_groups groups;    /* of --by cgroup */
	/* Rows of all threads of a name, or of the groups. */
	bool by_comm, by_cgroup, timehist, map;
	uint64_t top;
	size_t text_rows; /* of a table in text; 0: all */
};

/* Begins with a zeroed state; worst: number of longest waits to keep. */
void cp_sched_init(struct cp_sched *, struct cp_run *, uint32_t worst);
/* Call it for each sample and side-band record. */
void cp_sched_take(struct cp_sched *);
/* Returns false if the capture has no events of the scheduler. */
bool cp_sched_finish(struct cp_sched *);

struct cp_sched_sum *cp_sched_sum(struct cp_sched *, uint32_t thread);
/* True if the filters keep the thread and it did something. */
bool cp_sched_shows(struct cp_sched *, const struct cp_sched_thread *);
/* Returns how long the thread lived where --time looks. */
uint64_t cp_sched_life(struct cp_sched *, const struct cp_sched_thread *);
/* Returns its run time: the kernel's figure, else that of its switches. */
uint64_t cp_sched_run_ns(struct cp_sched *, const struct cp_sched_thread *);
/* Adds the cached wakers to the tally. */
void cp_sched_wakers_flush(struct cp_sched *);

#endif
