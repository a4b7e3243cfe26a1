/* SPDX-License-Identifier: MIT */
/*
 * analyses/syscalls/syscalls.h: what the files of this room share.
 *
 * This room counts samples for `syscalls` (count.c) and shows the counts
 * (tables.c); off-cpu.c says how long calls were off the CPU, and which were
 * the slowest.  It may use coldperf/plugin.h, analyses/common and
 * analyses/lost. Begin in count.c.
 */
#ifndef CP_ANALYSES_SYSCALLS_SYSCALLS_H
#define CP_ANALYSES_SYSCALLS_SYSCALLS_H

#include <coldperf/spans.h>

#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/waits.h"

/* count.c: system calls, by thread and call. */

/* Where a call's time off the CPU went, in ns. */
struct cp_call_off {
	uint64_t ready, blocked, unknown;
};

struct cp_calls {
	uint64_t started, errors;
	struct cp_quantiles took; /* of those that ended */
	struct cp_call_off off;
};

/* Begins of larger payloads show a part of their arguments. */
enum { CP_CALL_RAW = 96, CP_CALLS_SLOWEST = 10 };

struct cp_call_open {
	uint64_t time;
	uint64_t call; /* key of calls */
	uint32_t row;  /* thread and call */
	cp_stack_id stack;
	struct cp_call_off off; /* spans that were told while it is open */
	/* off-cpu.c: its thread's first and last, number + 1 */
	uint32_t ended, last_ended;
	uint32_t evsel, raw_size;
	uint8_t raw[CP_CALL_RAW];
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

	/* off-cpu.c */
	uint64_t from, to;            /* of --time */
	const struct cp_spans *spans; /* NULL: not asked for */
	struct cp_call_ended *ended;  /* whose spans are still to come */
	uint32_t n_ended, ended_cap, unused;
	struct cp_call_slow {
		uint64_t start, ns;
		uint32_t row;
		cp_string_id arguments;
		int64_t result;
	} slow[CP_CALLS_SLOWEST]; /* slowest first */
	uint32_t n_slow;

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

/*
 * off-cpu.c: the time of calls by what their threads did, where switches were
 * recorded; and the slowest calls with their arguments.
 */

/* A cp_span_fn. */
void cp_syscalls_span(void *calls, const struct cp_span *);
/* Takes a call that has ended, of the thread of the sample. */
void cp_syscalls_ended(struct cp_syscalls *, struct cp_call_open *,
    const struct cp_sample *, int64_t result);
/* Counts what is left of spans; for finish(). */
void cp_syscalls_off_finish(struct cp_syscalls *);

/* tables.c: calls, threads, errors, stacks. */

void cp_syscalls_tables(struct cp_syscalls *, struct cp_report *);

#endif
