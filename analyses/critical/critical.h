/* SPDX-License-Identifier: MIT */
/*
 * analyses/critical/critical.h: what a thread's time depended on, backwards
 * from its end: what it did itself, and while it was blocked, what the thread
 * did that ended the wait.
 *
 * This room keeps the spans and samples of all threads in order (past.c), walks
 * back through them (walk.c), and shows the steps (show.c) for `critical'.  It
 * may use include/coldperf, analyses/causes, analyses/pairs, analyses/waits and
 * analyses/common.  Begin in analyses/critical.c, which gathers.
 */
#ifndef CP_ANALYSES_CRITICAL_CRITICAL_H
#define CP_ANALYSES_CRITICAL_CRITICAL_H

#include <coldperf/spans.h>

#include "analyses/causes/programs.h"
#include "analyses/pairs/match.h"
#include "analyses/waits/wait-class.h"

/* Waits that depend on each other and are followed at once, at most. */
#define CP_CRITICAL_DEPTH 64u
/* Steps that are kept, at most; the time before them is one step. */
#define CP_CRITICAL_STEPS (UINT32_C(1) << 20)

/* ------------------------------------------------------------------- past */

/* A span as it is kept. */
struct cp_past_span {
	uint64_t start, end;
	uint32_t thread, cpu;
	cp_stack_id stack; /* where it was switched out */
	uint32_t waker;    /* thread; CP_NO_ID: an interrupt */
	cp_stack_id waker_stack;
	/* The spans before it, of the thread and of the CPU: number + 1. */
	uint32_t before, before_on_cpu;
	uint8_t kind, letter, open;
	bool woken, after_loss, interrupt;
};

/* A sample of a thread at work. */
struct cp_past_sample {
	uint64_t time;
	cp_stack_id stack;
	uint32_t before; /* of the thread: number + 1 */
};

/* The spans of a thread or a CPU, or the samples of a thread, by number. */
struct cp_past_chain {
	uint32_t last, n; /* last: number + 1 */
	struct cp_past_mark {
		uint64_t time;
		uint32_t number;
	} * mark; /* every so many */
	uint32_t n_marks, cap;
};

struct cp_past {
	struct cp_run *run;
	struct cp_spill *spans, *samples;
	uint32_t n_spans, n_samples;
	struct cp_past_chain *of_thread, *of_cpu, *of_tid;
	uint32_t thread_cap, cpu_cap, tid_cap;
	struct cp_index tids;
	uint32_t event; /* whose samples are kept; CP_NO_ID */
	bool failed;    /* what was kept cannot be read */
};

void cp_past_init(struct cp_past *, struct cp_run *);
void cp_past_add(struct cp_past *, const struct cp_span *);
void cp_past_sample(struct cp_past *, const struct cp_sample *);
/* Reads span number i; false: there is none. */
bool cp_past_read(struct cp_past *, uint32_t i, struct cp_past_span *);
/* Finds the last span of a thread, or on a CPU, that begins before a time. */
bool cp_past_before(
    struct cp_past *, uint32_t thread, uint64_t time, struct cp_past_span *);
bool cp_past_on_cpu(
    struct cp_past *, uint32_t cpu, uint64_t time, struct cp_past_span *);
/* Finds the last sample of a thread up to a time. */
bool cp_past_sampled(
    struct cp_past *, uint32_t tid, uint64_t time, struct cp_past_sample *);
bool cp_past_read_sample(struct cp_past *, uint32_t i, struct cp_past_sample *);

/* ------------------------------------------------------------------- walk */

enum cp_step_state {
	CP_STEP_ON_CPU,
	CP_STEP_NO_SAMPLE, /* on the CPU; its stack is the one at its end */
	CP_STEP_READY,     /* it waited for a CPU */
	CP_STEP_INTERRUPT, /* blocked; an interrupt ended it */
	/* Blocked, and nobody knows who ended it. */
	CP_STEP_NO_WAKER,
	CP_STEP_BEFORE, /* it began before the capture */
	CP_STEP_STILL,  /* it went on at the moment that is asked for */
	CP_STEP_LOOP,   /* the waker was blocked then, by the records */
	CP_STEP_DEEP,
	/* It is not known what the thread did. */
	CP_STEP_LOST,
	CP_STEP_UNKNOWN,
	CP_STEP_UNRECORDED,
	CP_STEP_LIMIT,
	CP_STEP_STATES
};

/* Stands for a thread: nobody had the CPU. */
#define CP_STEP_IDLE (CP_NO_ID - 1)

struct cp_step {
	uint64_t start, end;
	uint32_t path, thread, hop;
	uint32_t by; /* READY: who had the CPU; CP_NO_ID: not known */
	/* ON_CPU: its parts; else 0 of them */
	uint32_t part, parts;
	cp_stack_id stack;
	cp_stack_id handler; /* INTERRUPT: its stack */
	uint8_t state;       /* enum cp_step_state */
	char letter;
};

/* Time on the CPU at a stack. */
struct cp_step_part {
	cp_stack_id stack;
	uint64_t ns;
};

/* A wait that was followed: whose, where, and for whom that one worked. */
struct cp_step_hop {
	uint32_t thread;
	cp_stack_id stack;
	char letter;
	uint32_t up; /* the hop of the waiter; CP_NO_ID */
};

struct cp_critical_path {
	uint32_t thread;
	uint64_t start, end;
	cp_stack_id stack; /* where it waited; 0 */
	uint8_t kind;      /* of a wait; CP_SPAN_KINDS: it is none */
	char letter;
	uint32_t pair; /* row of the pairs; CP_NO_ID */
	uint32_t first, steps;
};

struct cp_critical {
	struct cp_run *run;
	uint64_t top;
	const struct cp_spans *state;
	struct cp_past past;
	struct cp_programs programs;
	struct cp_waitclasses classes;
	struct cp_pairs pairs;
	bool paired;   /* --recipe */
	uint64_t *ran; /* by thread, ns */
	uint32_t ran_cap;
	uint32_t *parent; /* by thread: who forked it, + 1 */
	uint32_t parent_cap;
	/* Of finish(). */
	struct cp_critical_path *path;
	uint32_t n_paths, path_cap;
	struct cp_step *step;
	uint32_t n_steps, step_cap;
	struct cp_step_part *part;
	uint32_t n_parts, part_cap;
	struct cp_step_hop *hop;
	uint32_t n_hops, hop_cap;
};

/* Adds the steps of the path, the last ones first; they add up to it. */
void cp_critical_walk(struct cp_critical *, struct cp_critical_path *);
/* Names what the steps have, and adds tables and tree. */
void cp_critical_show(struct cp_critical *, struct cp_report *);
struct cp_critical_show;
void cp_critical_tree(struct cp_critical_show *);

#endif
