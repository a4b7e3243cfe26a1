/* SPDX-License-Identifier: MIT */
/*
 * analyses/explain/explain.h: what is different in slow windows of a capture.
 *
 * All that is counted is kept by bins of time, since the windows are known at
 * the end only.  Bins outside of the windows are normal time, cut into blocks
 * as long as a window; how much these differ among each other is what chance
 * does.
 *
 * This room finds the windows (windows.c), compares (compare.c) and says what
 * it found (sentences.c) for `explain'.  It may use include/coldperf,
 * analyses/causes, analyses/pairs, analyses/timeline, analyses/waits and
 * analyses/common.  Begin in analyses/explain.c, which gathers.
 */
#ifndef CP_ANALYSES_EXPLAIN_EXPLAIN_H
#define CP_ANALYSES_EXPLAIN_EXPLAIN_H

#include <coldperf/spans.h>

#include "analyses/common/time-buckets.h"
#include "analyses/pairs/match.h"
#include "analyses/waits/wait-class.h"

/* What is counted: the high half of a key; the low half says which. */
enum cp_explain_kind {
	/* Samples. */
	CP_EXPLAIN_ALL,     /* threads on a CPU */
	CP_EXPLAIN_STACK,   /* becomes SELF and UNDER */
	CP_EXPLAIN_SELF,    /* a function */
	CP_EXPLAIN_UNDER,   /* a function with what it calls */
	CP_EXPLAIN_CPU,     /* a CPU */
	CP_EXPLAIN_SAMPLED, /* a command, where there are no switches */
	CP_EXPLAIN_CGROUP,
	CP_EXPLAIN_FAULTS, /* an event, by its periods */
	/* Time of spans. */
	CP_EXPLAIN_RAN,   /* a thread: becomes a command */
	CP_EXPLAIN_WAIT,  /* a stack: becomes a class and a place */
	CP_EXPLAIN_READY, /* without a CPU */
	CP_EXPLAIN_WAKER, /* a thread; CP_NO_ID: an interrupt */
	CP_EXPLAIN_QUEUE, /* READY of all threads, for runq>N: no question */
	CP_EXPLAIN_KINDS
};

struct cp_explain_window {
	uint64_t start, end; /* since the origin */
};

enum cp_explain_slow {
	CP_SLOW_FOUND, /* by the rate of samples */
	CP_SLOW_TIME,
	CP_SLOW_WAIT,
	CP_SLOW_RUNQ,
	CP_SLOW_PAIR
};

/* A question: is there more or less of it in the windows? */
struct cp_explain_row {
	enum cp_explain_kind kind;
	cp_string_id name;
	double slow, normal;     /* weights */
	double times;            /* spans */
	double ratio, lo, hi, p; /* ratio of rates; hi < lo: not known */
	double gain;             /* difference of the rates */
};

struct cp_explain {
	struct cp_run *run;
	enum cp_explain_slow by;
	double least;       /* of --slow: ns, or threads */
	const char *recipe; /* of pair:NAME */
	const struct cp_spans *state;
	struct cp_pairs pairs;
	struct cp_waitclasses classes;
	struct cp_buckets buckets;
	struct cp_index cgroups;
	uint64_t origin, last; /* CP_NO_TIME: none yet */
	uint32_t event;        /* whose samples count */
	struct cp_explain_window *window;
	uint32_t n_windows, window_cap;
	/* Of finish(). */
	struct cp_tally_row *counted; /* by key, bin */
	size_t n_counted;
	uint32_t n_bins;
	/* By bin: block + 1; CP_EXPLAIN_SLOW; 0: not asked about. */
	uint32_t *block;
	uint32_t n_blocks;
	double slow_bins, normal_bins;
	struct cp_explain_row *row;
	uint32_t n_rows;
};

#define CP_EXPLAIN_SLOW UINT32_MAX
/* A bit of a key: how many spans ended, not how long they were. */
#define CP_EXPLAIN_TIMES (UINT64_C(1) << 40)
#define CP_EXPLAIN_BINS 8192u
/* The risk to find something where there is nothing. */
#define CP_EXPLAIN_RISK 0.01

/* Reads --slow; CP_FAIL after a diagnostic. */
int cp_explain_slow_parse(struct cp_explain *) CP_MUST_USE;
/* Adds a window of the capture's clock. */
void cp_explain_window_add(struct cp_explain *, uint64_t start, uint64_t end);
/*
 * Finds the windows that are to be found, and cuts the capture into them and
 * blocks of normal time.  NULL, or why that cannot be done.
 */
const char *cp_explain_windows(struct cp_explain *);
/* Asks all questions; names must be known. */
void cp_explain_compare(struct cp_explain *);
/* Adds the sentences, and the numbers. */
void cp_explain_show(struct cp_explain *, struct cp_report *, uint64_t top);

#endif
