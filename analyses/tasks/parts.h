/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/parts.h: the parts that a taskstate is made of, for the files
 * of this room alone.
 */
#ifndef CP_ANALYSES_TASKS_PARTS_H
#define CP_ANALYSES_TASKS_PARTS_H

#include "analyses/tasks/spans.h"

/* --------------------------------------------------------------- threads.c */

struct cp_sched_thread *cp_thread_new(struct cp_taskstate *, uint32_t tid);
/* NULL: it is idle, or not told. */
struct cp_sched_thread *cp_thread_get(struct cp_taskstate *, uint32_t tid);
/* 0: it was never told. */
cp_string_id cp_thread_comm(const struct cp_taskstate *, uint32_t tid);

/* ------------------------------------------------------------------ cpus.c */

/* Runs on an idle CPU. */
#define CP_THREAD_IDLE (CP_NO_ID - 1)

struct cp_sched_cpu {
	uint64_t last;         /* time of its last event; 0: none yet */
	uint64_t known;        /* since when all its switches were recorded */
	uint32_t current;      /* thread, CP_THREAD_IDLE or CP_NO_ID */
	uint64_t current_last; /* when that was last seen running */
};

/* NULL: not told. */
struct cp_sched_cpu *cp_cpu_get(struct cp_taskstate *, uint32_t cpu);

/* ---------------------------------------------------------------- losses.c */

struct cp_sched_loss {
	uint64_t start, end;
};

/* They come in the order of their ends; what overlaps becomes one. */
void cp_loss_add(struct cp_taskstate *, uint64_t start, uint64_t end);
/* The first that ends after a time; NULL: none does. */
const struct cp_sched_loss *cp_loss_after(
    const struct cp_taskstate *, uint64_t time);

/* ------------------------------------------------------------------ ends.c */

/* What the event that ends a span says of the time before it. */
struct cp_evidence {
	uint64_t end;
	uint64_t from;  /* ... since then at the earliest */
	uint8_t really; /* the thread was doing this */
	bool woken;     /* the event is a wake-up */
	bool open_end;  /* it is the end of the capture */
};

/* Ends the thread's span and tells it. */
void cp_span_end(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_evidence *);
/* Whether a record was lost that the thread's span may have needed. */
bool cp_span_touched(
    const struct cp_taskstate *, const struct cp_sched_thread *);

/* ------------------------------------------------------------------ held.c */

/* Tells a span after a while: a loss that is not known yet may touch it. */
void cp_held_add(struct cp_taskstate *, const struct cp_span *);
/*
 * Records were lost since start.  Those of a known CPU say nothing of threads
 * that ran on others.
 */
void cp_held_lose(struct cp_taskstate *, uint64_t start, bool known_cpu);
/* Tells all that are held. */
void cp_held_release(struct cp_taskstate *);

#endif
