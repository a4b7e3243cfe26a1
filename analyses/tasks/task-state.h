/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/task-state.h: the types of spans.h, which its parts share.
 */
#ifndef CP_ANALYSES_TASKS_TASK_STATE_H
#define CP_ANALYSES_TASKS_TASK_STATE_H

#include <coldperf/plugin.h>

#include "analyses/tasks/events.h"

/* CPUs told apart: more than the kernel supports. */
enum { CP_SCHED_CPUS = 65536 };

enum cp_span_kind {
	CP_SPAN_UNKNOWN,
	CP_SPAN_RUNNING,
	CP_SPAN_PREEMPTED, /* runnable: it was taken off the CPU */
	CP_SPAN_WOKEN,     /* runnable: it waits for the CPU after a wake-up */
	CP_SPAN_BLOCKED,   /* waits for a wake-up */
	CP_SPAN_KINDS
};

struct cp_span_waker {
	uint32_t thread; /* index; CP_NO_ID: not known, or not a thread */
	uint32_t cpu;
	cp_stack_id stack;
	bool interrupt; /* a handler woke it while thread was running */
};

struct cp_sched_thread {
	uint32_t index;    /* 0...; dense: for tables of an analysis' own */
	uint32_t tid, pid; /* pid CP_NO_ID: not known */
	cp_string_id comm; /* 0: see cp_sched_thread_name() */
	char name[CP_SCHED_NAME]; /* last seen in a switch; "" */
	uint64_t born;            /* fork; CP_NO_TIME: before the capture */
	uint64_t ended;           /* switched out for ever; CP_NO_TIME */
	/* The span it is in. */
	uint64_t since;
	uint32_t cpu;      /* it runs on, ran on, or is queued at; CP_NO_ID */
	uint8_t kind;      /* enum cp_span_kind */
	char letter;       /* the state it was switched out in; '?', 'N': new */
	bool started;      /* it had an event */
	bool exiting;      /* its EXIT record has come ... */
	uint64_t exit;     /* ... then */
	uint64_t clear;    /* UNKNOWN: since when its events were recorded */
	cp_stack_id stack; /* where it was switched out */
	uint32_t taker;    /* index of who got its CPU then; CP_NO_ID */
	uint64_t moved;    /* when it last went to another CPU's queue */
	struct cp_span_waker waker; /* of its last wake-up */
	bool woken_early; /* a wake-up came while it was still running */
};

enum {
	CP_SPAN_OPEN_START = 1, /* it began before the capture, or in a loss */
	CP_SPAN_OPEN_END = 2,   /* it was going on when the capture ended */
};

struct cp_span {
	const struct cp_sched_thread *thread; /* as it was in the span */
	uint64_t start, end;
	uint8_t kind;
	uint8_t open;    /* CP_SPAN_OPEN_*; one byte: read as soon as written */
	bool after_loss; /* stack, letter and waker may be of before it */
	/* BLOCKED that did not end with a wake-up that was seen has none. */
	bool woken;
};

typedef void (*cp_span_fn)(void *ctx, const struct cp_span *);

struct cp_sched_cpu;
struct cp_sched_loss;
struct cp_held;
struct cp_taskstate {
	struct cp_run *run;
	cp_span_fn fn;
	void *ctx;
	struct cp_sched_thread **chunk;
	uint32_t n_threads, n_chunks;
	uint32_t *slots; /* thread + 1 by tid, 0: empty */
	uint32_t mask;
	struct cp_sched_cpu *cpu;
	uint32_t n_cpus;
	struct cp_sched_loss *loss; /* disjoint, ascending */
	uint32_t n_losses, cap_losses;
	struct cp_held *held; /* spans not told yet, a ring */
	uint32_t held_cap, held_first, n_held;
	uint64_t told_until; /* spans of events up to then have been told */
	uint64_t late;       /* losses that came too late for some of them */
	bool names;   /* set by who wants to know threads' names in spans */
	uint64_t now; /* of the event at hand */
	uint64_t first, last; /* times of events; CP_NO_TIME */
	/* Threads of the event at hand; NULL: idle, or not told. */
	struct cp_sched_thread *who, *next;
	struct cp_sched_thread *gone; /* whose id another one has now */
	bool switches;                /* a SWITCH was seen: records repeat it */
	uint64_t misfits; /* SWITCHes that do not fit the one before */
};

#endif
