/* SPDX-License-Identifier: MIT */
/*
 * analyses/syscalls/syscalls.h: what the files of this room share.
 *
 * This room counts samples for `syscalls` (count.c) and shows the counts
 * (tables.c).  It may use coldperf/plugin.h, analyses/common and analyses/lost.
 * Begin in count.c.
 */
#ifndef CP_ANALYSES_SYSCALLS_SYSCALLS_H
#define CP_ANALYSES_SYSCALLS_SYSCALLS_H

#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/waits.h"

/* count.c: system calls, by thread and call. */

struct cp_calls {
	uint64_t started, errors;
	struct cp_quantiles took; /* of those that ended */
};

struct cp_call_open {
	uint64_t time;
	uint64_t call; /* key of calls */
	uint32_t row;  /* thread and call */
	cp_stack_id stack;
	bool active;
	bool kept;   /* its enter passed the filters */
	bool chosen; /* or does but for --time */
};

struct cp_syscalls {
	struct cp_run *run;
	struct cp_probes probes;
	bool raw, chains, looked;
	uint64_t left_out;       /* samples that repeat what others tell */
	struct cp_index threads; /* (pid and tid, comm) */
	struct cp_index rows;    /* (thread, call) */
	struct cp_calls *row;
	uint32_t row_cap;
	struct cp_index tids;
	struct cp_call_open *open; /* by number in tids */
	uint32_t open_cap;
	struct cp_tally *errors; /* call, error */
	struct cp_tally *stacks; /* 0, stack: time */
	struct cp_lost_waits waits;
	uint64_t unfinished, unstarted, unknown, last;
	uint64_t cut; /* the filters keep their begin, not their end */

	/* Of finish(). */
	struct cp_index named; /* calls by (name, 0) */
	struct cp_calls *by_name;
	struct cp_calls *by_thread;
};

extern const struct cp_probe cp_syscalls_probes[];

void cp_syscalls_init(struct cp_syscalls *, struct cp_run *);
void cp_syscalls_sample(struct cp_syscalls *, const struct cp_sample *);
void cp_syscalls_sideband(struct cp_syscalls *, const struct cp_sideband *);
/* Counts the calls held back; call it before the tables are made. */
void cp_syscalls_finish(struct cp_syscalls *);
/* Returns the name of the call with this key. */
const char *cp_syscalls_name(struct cp_syscalls *, uint64_t call);

/* tables.c: calls, threads, errors, stacks. */

void cp_syscalls_tables(struct cp_syscalls *, struct cp_report *);

#endif
