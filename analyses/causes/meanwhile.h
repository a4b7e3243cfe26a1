/* SPDX-License-Identifier: MIT */
/*
 * analyses/causes/meanwhile.h: what else was going on while a thread waited:
 * what the thread did that ended the wait, and who had the CPU of one that was
 * ready.
 *
 * Waits themselves are in cp_waits, by row (a task at a place).  Spans come in
 * the order of their ends, so those of others that lie within a wait are known
 * when it ends; the last few of each thread and CPU are enough.
 *
 * This room finds why a program was slow, for the overview: meanwhile.c joins
 * spans, programs.c says whose time matters, places.c where a thread stood,
 * sites.c adds up; blocked.c, queues.c and on-cpu.c have the rules, the words
 * are those of analyses/accounts.  tests/lint/rooms.py says what it may use.
 * Begin in causes.h.
 */
#ifndef CP_ANALYSES_CAUSES_MEANWHILE_H
#define CP_ANALYSES_CAUSES_MEANWHILE_H

#include "analyses/waits/watch.h"

#define CP_IDLE_CPU (CP_NO_ID - 1) /* of takers: nobody had the CPU */

/* The waits of a row that were ended by one task. */
struct cp_ended {
	uint32_t row, by; /* by: a task; CP_NO_ID: an interrupt, not known */
	uint64_t n, ns;
	/* What that task did meanwhile, of ns; UNKNOWN: not recorded. */
	uint64_t meanwhile[CP_SPAN_KINDS];
	/* Of that, blocked at the very place where this wait was. */
	uint64_t same;
	/* The other place at which it was blocked most, and how much more. */
	cp_stack_id blocked;
	uint64_t blocked_more;
	/* Where it ended waits, mostly. */
	cp_stack_id woke;
	uint64_t woke_more;
};

/* Long waits, and those that ended whole periods after the one before. */
struct cp_late {
	uint64_t n, ns, periodic, last_end;
};

/* Time that a task was ready and had no CPU. */
struct cp_ready {
	uint64_t n, ns;
	/*
	 * A quota gives time once in a period of 100 ms.  On a busy CPU turns
	 * take 10 ms, too: [1] has the waits that are longer than these.
	 */
	struct cp_late late[2];
	/* Where it ran; moved: on another CPU than before it was preempted. */
	uint64_t runs, moved;
	/* Where it got a CPU after a long wait: bits; the last: any other. */
	uint64_t cpus, waited;
	uint32_t cpu; /* the last one */
};

struct cp_meanwhile {
	struct cp_run *run;
	struct cp_recent *of_task, *of_cpu;
	uint32_t task_cap, cpu_cap;
	struct cp_ready *ready; /* by task */
	uint32_t ready_cap;
	/* (kind of the wait and task, who had the CPU: one of names); ns */
	struct cp_tally *takers;
	/* (comm at that time, process; 0: of its first thread) */
	struct cp_index names;
	struct cp_index ends; /* (row, by) */
	struct cp_ended *ended;
	uint32_t ended_cap;
};

/* Boyer and Moore: what has more than half of the weight is left at the end. */
void cp_vote(uint32_t *choice, uint64_t *more, uint32_t what, uint64_t ns);

void cp_meanwhile_init(struct cp_meanwhile *, struct cp_run *);
/* Adds the waits of another task. */
void cp_late_add(struct cp_late to[2], const struct cp_late from[2]);
/* Returns the time that so many threads were held back by a quota; 0: none. */
uint64_t cp_late_quota(const struct cp_late[2], uint64_t threads, uint64_t ns);
/* A cp_waitwatch_fn. */
void cp_meanwhile_span(void *account, const struct cp_span *,
    const struct cp_wait *, uint32_t row);
/* Returns how long threads ran on the CPU. */
uint64_t cp_meanwhile_busy(const struct cp_meanwhile *, uint32_t cpu);

#endif
