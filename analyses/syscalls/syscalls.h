/* SPDX-License-Identifier: MIT */
/*
 * analyses/syscalls/syscalls.h: what the files of this room share.
 *
 * This room counts samples for `syscalls` (count.c) and shows the counts
 * (tables.c); off-cpu.c says how long calls were off the CPU.  It may use
 * coldperf/plugin.h, analyses/common and analyses/pairs.  Begin in count.c.
 */
#ifndef CP_ANALYSES_SYSCALLS_SYSCALLS_H
#define CP_ANALYSES_SYSCALLS_SYSCALLS_H

#include <coldperf/spans.h>

#include "analyses/common/tracepoint-fields.h"
#include "analyses/pairs/begun.h"

/* count.c: system calls, by thread and call. */

struct cp_call_open {
	uint64_t time;
	uint64_t call; /* key of calls */
	uint32_t row;  /* thread and call */
	cp_stack_id stack;
	struct cp_pair_off off; /* spans that were told while it is open */
	/* off-cpu.c: its thread's first and last, number + 1 */
	uint32_t ended, last_ended;
	struct cp_pair_raw raw;
	bool active;
	bool kept;   /* its enter passed the filters */
	bool chosen; /* or does but for --time */
};

struct cp_syscalls {
	struct cp_run *run;
	struct cp_probes probes;
	bool raw, chains, looked;
	uint64_t left_out;        /* samples that repeat what others tell */
	struct cp_index threads;  /* (pid and tid, comm) */
	struct cp_pair_rows rows; /* (thread, call) */
	struct cp_index tids;
	struct cp_call_open *open; /* by number in tids */
	uint32_t open_cap;
	struct cp_tally *errors; /* call, error */
	struct cp_tally *stacks; /* 0, stack: time */
	struct cp_lost_waits waits;
	uint64_t unfinished, unstarted, unknown, last;
	uint64_t cut;      /* the filters keep their begin, not their end */
	uint64_t from, to; /* of --time */

	/* off-cpu.c */
	const struct cp_spans *spans; /* NULL: not asked for */
	struct cp_call_ended *ended;  /* whose spans are still to come */
	uint32_t n_ended, ended_cap, unused;

	struct cp_slowest slowest;
	struct cp_call_slow {
		uint64_t start;
		uint32_t row;
		cp_string_id arguments;
		int64_t result;
	} slow[CP_SLOWEST]; /* by slot */
};

extern const struct cp_probe cp_syscalls_probes[];

/* Of an analysis; its finish() counts the calls held back. */
int cp_syscalls_begin(struct cp_run *, void *state);
int cp_syscalls_sample(struct cp_run *, void *state, const struct cp_sample *);
int cp_syscalls_event(struct cp_run *, void *state, const struct cp_sideband *);
void cp_syscalls_finish(struct cp_syscalls *);
/* Returns the name of the call with this key. */
const char *cp_syscalls_name(struct cp_syscalls *, uint64_t call);
/* Sums by name (a string, 0); returns the sum of all. */
struct cp_pair_row cp_syscalls_by_name(
    struct cp_syscalls *, struct cp_pair_rows *);

/*
 * off-cpu.c: the time of calls by what their threads did, where switches were
 * recorded.
 */

/* A cp_span_fn. */
void cp_syscalls_span(void *calls, const struct cp_span *);
/* Takes a call of a thread that has ended. */
void cp_syscalls_ended(
    struct cp_syscalls *, struct cp_call_open *, uint32_t tid, uint64_t end);
/* Counts what is left of spans; for finish(). */
void cp_syscalls_off_finish(struct cp_syscalls *);

/* tables.c: calls, threads, errors, stacks. */

void cp_syscalls_tables(struct cp_syscalls *, struct cp_report *);

#endif
