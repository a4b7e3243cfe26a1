/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/switch-rows.h: a row per switch, some twenty bytes each.
 *
 * The times are those of `perf sched timehist` of perf 7: the task waited
 * from when it was last switched out until the switch before this one on its
 * CPU, and has run since then; the part of the wait after it was ready (woken,
 * or switched out while it could run on) is its delay.  They are not certain
 * where a switch is missing or records were lost, which perf does not say.
 */
#ifndef CP_ANALYSES_SCHED_SWITCH_ROWS_H
#define CP_ANALYSES_SCHED_SWITCH_ROWS_H

#include <coldperf/spans.h>

#include "analyses/common/slab.h"

struct cp_sched_row {
	uint64_t time, wait, delay, run;
	uint32_t cpu;          /* + 1; 0: not told */
	uint32_t thread, next; /* index + 1; 0: idle */
	cp_string_id comm, next_comm;
	char letter; /* state that the task was left in */
	bool doubt;  /* the task's begin on the CPU was not recorded */
};

/* Times are 0 if unknown. */
struct cp_sched_timing {
	uint64_t ready, out;
};

struct cp_schedrows_cpu {
	uint64_t last; /* switch */
	uint64_t rows; /* of it */
	uint32_t next; /* that got it, as in the row */
	bool lost;     /* records since then */
	struct cp_sched_timing idle;
};

struct cp_schedrows_block;
struct cp_schedrows {
	struct cp_run *run;
	bool arrivals; /* a task is also shown where it gets the CPU */
	const struct cp_spans *tasks;
	struct cp_slab threads;       /* cp_sched_timing, by index */
	struct cp_schedrows_cpu *cpu; /* by CPU + 1 */
	uint32_t n_cpus;
	struct cp_schedrows_block *first, *last;
	uint64_t n, last_time;
};

void cp_schedrows_init(struct cp_schedrows *, struct cp_run *,
    const struct cp_spans *, bool arrivals);
/*
 * True if the filters keep a task; NULL: the idle task, which no filter
 * selects.
 */
bool cp_schedrows_keeps(const struct cp_schedrows *,
    const struct cp_sched_thread *, cp_string_id comm);
/* Adds the rows of an event; call it after tasks has handled it. */
void cp_schedrows_event(struct cp_schedrows *, const struct cp_sched_event *);

/* Reads the rows from the first on. */
struct cp_schedrows_reader {
	const struct cp_schedrows *rows;
	const struct cp_schedrows_block *block;
	uint32_t at;
	uint64_t n, time;
};
void cp_schedrows_open(
    struct cp_schedrows_reader *, const struct cp_schedrows *);
/* Returns the next of rows->n rows. */
struct cp_sched_row cp_schedrows_next(struct cp_schedrows_reader *);
/* Returns row number `at`; going backwards starts again from the first. */
struct cp_sched_row cp_schedrows_at(
    struct cp_schedrows_reader *, const struct cp_schedrows *, uint64_t row);

#endif
