/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/task-state.h: the types of spans.h, which its parts share.
 */
#ifndef CP_ANALYSES_TASKS_TASK_STATE_H
#define CP_ANALYSES_TASKS_TASK_STATE_H

#include <coldperf/plugin.h>

#include "analyses/lost/spans.h"
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
	/* time of its fork; CP_NO_TIME: before the capture */
	uint64_t born;
	/* when it was last switched out; CP_NO_TIME: it lives */
	uint64_t ended;
	/* The current span. */
	uint64_t since;
	uint32_t cpu; /* it runs on, ran on, or is queued at; CP_NO_ID */
	uint8_t kind; /* enum cp_span_kind */
	char letter;  /* the state it was switched out in; '?', 'N': new */
	bool started; /* it has had an event */
	/* the filters keep it under a name that it had before */
	bool was_kept;
	bool exiting;  /* an EXIT record was seen ... */
	uint64_t exit; /* ... at this time */
	/* UNKNOWN: all of its events since then are recorded */
	uint64_t clear;
	cp_stack_id stack; /* where it was switched out */
	uint32_t taker;    /* index of the thread that got its CPU; CP_NO_ID */
	uint64_t moved;    /* time when it last moved to another CPU's queue */
	struct cp_span_waker waker; /* who woke it last */
	bool woken_early; /* a wake-up came while it was still running */
	/*
	 * It began to run on another CPU at this time of that CPU's clock, and
	 * has not left its own yet; CP_NO_TIME: it did not.
	 */
	uint64_t early;
	uint32_t early_cpu;
};

enum {
	CP_SPAN_OPEN_START = 1, /* it began before the capture, or in a loss */
	CP_SPAN_OPEN_END = 2,   /* it was going on when the capture ended */
};

struct cp_span {
	/*
	 * ids, name, cpu, letter, stack, waker and move are those of the span;
	 * other fields may be newer.
	 */
	const struct cp_sched_thread *thread;
	uint64_t start, end;
	uint8_t kind;
	uint8_t open; /* CP_SPAN_OPEN_*; one byte: read as soon as written */
	/* stack, letter and waker may be older than the loss */
	bool after_loss;
	/* BLOCKED: false if its wake-up was not seen. */
	bool woken;
	/* Its end alone tells what it was: nothing before a loss in it. */
	bool by_end;
};

typedef void (*cp_span_fn)(void *ctx, const struct cp_span *);

struct cp_sched_cpu;
struct cp_held;

/*
 * Losses that concern spans still held.  The first entry cuts the oldest span;
 * it began before all later ones.
 */
struct cp_held_cuts {
	struct cp_held_cut {
		uint64_t start, held_ever; /* held_ever when the loss came */
	} * all;
	uint32_t first, n, cap;
};

struct cp_taskstate {
	struct cp_run *run;
	cp_span_fn fn; /* NULL: spans are not wanted */
	void *ctx;
	struct cp_sched_thread **chunk;
	uint32_t n_threads, n_chunks;
	uint32_t *slots; /* thread + 1 by tid, 0: empty */
	uint32_t mask;
	struct cp_sched_cpu *cpu;
	uint32_t n_cpus;
	/* CPUs that had events, by the time of their last; CP_NO_ID: none */
	uint32_t oldest_cpu, newest_cpu;
	/* Losses on unknown CPUs: their number, and the time of the last. */
	uint32_t losses_anywhere;
	uint64_t loss_anywhere;
	struct cp_lost_spans losses;
	struct cp_held **held; /* blocks of a ring: spans not told yet */
	uint32_t held_first, n_held;
	uint64_t held_ever; /* spans that have been held */
	/* Losses on known CPUs, and on unknown ones. */
	struct cp_held_cuts cuts[2];
	/* all spans of events before this time have been told */
	uint64_t told_until;
	/*
	 * Number of records lost, as in struct cp_sched_cpu, over all CPUs;
	 * lost_anywhere: counted without a CPU.
	 */
	uint64_t lost_told, lost_counted, lost_anywhere;
	uint64_t late;        /* losses reported after spans they concern */
	bool names;           /* the analysis wants names of threads in spans */
	uint64_t now;         /* time of the current event */
	uint64_t first, last; /* times of events; CP_NO_TIME */
	/* Threads of the current event; NULL: idle, or unknown. */
	struct cp_sched_thread *who, *next;
	/* the thread that had the tid of `next` before */
	struct cp_sched_thread *gone;
	bool switches;    /* a SWITCH was seen: records repeat it */
	bool idles;       /* one of them was the idle task's */
	bool begins;      /* an IN record was seen */
	uint64_t misfits; /* SWITCHes that do not fit the one before */
	/*
	 * Threads that left a CPU after they began to run on another, by the
	 * clocks of both, and the largest difference in ns.
	 */
	uint64_t skewed, skew;
};

#endif
