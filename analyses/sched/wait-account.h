/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/wait-account.h: how long threads waited for a CPU, as `perf
 * sched latency` of perf 7 counts it.
 *
 * A wait begins with a wake-up or when a thread that could run on is switched
 * out, and ends when it is switched in.  A thread that is first seen being
 * switched in has waited for 0 ns; one that is switched in after it blocked,
 * without a wake-up, has not waited.  Beyond perf, a wait during which a
 * record was lost is not counted, but counted as unknown.  A loss is known only
 * when its LOST record comes, so waits are counted later than they end.
 */
#ifndef CP_ANALYSES_SCHED_WAIT_ACCOUNT_H
#define CP_ANALYSES_SCHED_WAIT_ACCOUNT_H

#include <coldperf/spans.h>

#include "analyses/common/slab.h"
#include "analyses/sched/delays.h"

enum cp_wait_state {
	CP_WAIT_NEW,
	CP_WAIT_SLEEPING,
	CP_WAIT_WAITING,
	CP_WAIT_RUNNING,
};

/* A wait that is over. */
struct cp_queue_wait {
	const struct cp_sched_thread *thread;
	uint64_t start, end;
	uint32_t cpu;       /* it then ran on */
	uint32_t other;     /* thread that woke or displaced it; CP_NO_ID */
	uint32_t other_cpu; /* of the waker */
	bool preempted;     /* it began with a preemption, not a wake-up */
	bool interrupt;     /* a handler woke it */
};

struct cp_runqueue_thread {
	struct cp_delays delays; /* of the waits counted */
	struct cp_queue_wait longest;
	uint64_t begun;  /* WAITING: when; SLEEPING: since */
	uint64_t run_ns; /* told by sched_stat_runtime */
	/* waits of 0 ns: the thread was first seen when switched in */
	uint64_t first_zero;
	uint64_t unknown;                /* waits that a loss touched */
	uint64_t voluntary, involuntary; /* switches: it could not run on */
	/* It waited, ran or was switched out, in --time or not. */
	bool active;
	uint64_t migrations;
	uint32_t last_cpu;  /* it ran on, + 1; 0: none yet */
	uint8_t state;      /* enum cp_wait_state */
	bool off_preempted; /* it was switched out and could run on */
	bool many_cpus;     /* it ran on more than one */
};

typedef void (*cp_queue_wait_fn)(void *ctx, const struct cp_queue_wait *);

struct cp_runqueue {
	struct cp_run *run;
	const struct cp_spans *tasks;
	struct cp_slab threads; /* cp_runqueue_thread, by thread index */
	struct cp_delays_pool pool;
	struct cp_queue_wait *held; /* a ring */
	uint32_t held_cap, held_first, n_held;
	bool migrates; /* sched_migrate_task was seen */
	cp_queue_wait_fn fn;
	void *ctx;
};

void cp_runqueue_init(struct cp_runqueue *, struct cp_run *,
    const struct cp_spans *, cp_queue_wait_fn, void *ctx);
/* Counts an event; call it after tasks has handled it. */
void cp_runqueue_event(struct cp_runqueue *, const struct cp_sched_event *);
/* Calls a function for each wait that is held back, the oldest first. */
void cp_runqueue_each_held(
    const struct cp_runqueue *, cp_queue_wait_fn, void *ctx);
/* Counts the waits that are held back; call it after tasks has finished. */
void cp_runqueue_finish(struct cp_runqueue *);
struct cp_runqueue_thread *cp_runqueue_thread(
    struct cp_runqueue *, uint32_t index);

#endif
