/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/cpu-load.h: what each CPU did: busy, idle or not known; how
 * many threads waited for it; and both over time.
 *
 * Time is cut into at most CP_CPU_LOAD_SLICES slices of a power of two ns:
 * their length doubles as the capture goes on.  The mean length of a queue in a
 * slice is the time that threads waited in it, divided by the length of the
 * slice.  A thread that is moved while it waits has waited in both queues.
 */
#ifndef CP_ANALYSES_SCHED_CPU_LOAD_H
#define CP_ANALYSES_SCHED_CPU_LOAD_H

#include <coldperf/spans.h>

#include "analyses/common/slab.h"

enum { CP_CPU_LOAD_SLICES = 128 };

struct cp_cpu_load_one {
	bool seen;
	uint64_t busy, idle, waited; /* ns; waited: summed over all threads */
	uint64_t idle_since;         /* 0: it is not idle */
	uint64_t switches, preemptions, wakeups;
	uint32_t queue, queue_max;       /* threads that wait now, at most */
	bool listed;                     /* among `queues` */
	uint64_t queue_at, queue_max_at; /* queue since then */
	uint64_t *busy_in, *waited_in, *most_in; /* by slice */
};

struct cp_cpu_load {
	struct cp_run *run;
	const struct cp_spans *tasks;
	struct cp_cpu_load_one *cpu;
	uint32_t n;            /* CPUs there is room for */
	unsigned shift;        /* a slice is 1 << shift ns */
	uint64_t base;         /* start of the first slice; or CP_NO_TIME */
	uint64_t end;          /* of the last slice, when it is known */
	struct cp_slab queued; /* by thread: where it waits */
	uint32_t losses;       /* queues are counted anew after each */
	uint32_t *queues;      /* CPUs that had one since the last loss */
	uint32_t n_queues, queues_cap;
	uint64_t moved; /* waits that ended on another CPU than that queue's */
};

void cp_cpu_load_init(
    struct cp_cpu_load *, struct cp_run *, const struct cp_spans *);
/* Counts an event; call it after tasks has handled it. */
void cp_cpu_load_event(struct cp_cpu_load *, const struct cp_sched_event *);
void cp_cpu_load_span(struct cp_cpu_load *, const struct cp_span *);
/* Ends the capture at that time. */
void cp_cpu_load_finish(struct cp_cpu_load *, uint64_t time);
/* Returns how much of the capture is counted, after finish. */
uint64_t cp_cpu_load_length(const struct cp_cpu_load *);
/*
 * Length of a slice, without what --time leaves out; the capture ends in the
 * last.
 */
uint64_t cp_cpu_load_slice(const struct cp_cpu_load *, uint32_t slice);

#endif
