/* SPDX-License-Identifier: MIT */
/*
 * coldperf/spans.h: what each thread did: spans of time in which it ran, was
 * runnable, was blocked, or its state is not known.
 *
 * The host makes them once, from sched:sched_switch and the wake-ups, or from
 * context-switch records, for all analyses that ask for them by
 * cp_run_spans().  Each of these wants CP_WANT_RAW and CP_WANT_ALL.
 *
 * The spans of a thread touch and do not overlap: they add up to its lifetime
 * in the capture, to the nanosecond, except where the clocks of CPUs differ.  A
 * span is passed on when no loss of records can change it any more: those of a
 * thread come in order, those of all threads in the order of their ends, the
 * last ones before finish().
 *
 * An unknown state is never guessed.  A switch that does not fit the one before
 * it makes the thread unknown from its last event on.  A lost record makes
 * threads unknown, except those seen running on another CPU: from the last
 * event of the CPU that lost it until the LOST record.  After that the thread's
 * next event proves the state.  In a capture of some threads nothing is said of
 * others.  Without wake-ups, the wait for a CPU after one counts as blocked.
 *
 * The rules of events are those of perf 7: sched_waking replaces sched_wakeup
 * where it was recorded, a preempted task stays runnable, letters of states are
 * those of the event's own format.  An event that was sampled, so that not each
 * occurrence was recorded, is left out.
 *
 * An idle CPU runs thread 0, which has no spans.
 */
#ifndef COLDPERF_SPANS_H
#define COLDPERF_SPANS_H

#include <coldperf/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cp_sched_kind {
	CP_SCHED_NONE,     /* some other event of the CPU */
	CP_SCHED_SWITCH,   /* tid leaves the CPU, next gets it */
	CP_SCHED_OUT,      /* tid leaves it: a context-switch record */
	CP_SCHED_IN,       /* next gets the CPU: a context-switch record */
	CP_SCHED_WAKE,     /* tid becomes runnable */
	CP_SCHED_WAKE_NEW, /* the same, for the first time */
	CP_SCHED_MIGRATE,  /* tid is moved to the queue of to_cpu */
	CP_SCHED_RUNTIME,  /* tid has run for `value` ns more */
	CP_SCHED_FORK,     /* tid begins; next is its parent */
	CP_SCHED_EXIT, /* tid will be switched out once more, then no more */
	CP_SCHED_COMM, /* tid has another name */
	CP_SCHED_LOST, /* records of cpu before it are missing */
	CP_SCHED_KINDS
};

/*
 * A sample or a record as an event of the scheduler.  Ids are those of the
 * event's fields, since the ids of a sample are -1 for tasks that are being
 * reaped.
 */
struct cp_sched_event {
	uint64_t time;  /* CP_NO_TIME */
	uint64_t value; /* RUNTIME: ns; LOST: records */
	uint8_t kind;   /* enum cp_sched_kind */
	char letter;    /* SWITCH, OUT: state that tid is left in; '?' */
	bool runnable;  /* SWITCH, OUT: tid could run on */
	bool preempted; /* the same, and it did not ask for it */
	bool dead;      /* SWITCH: it will never run again */
	bool interrupt; /* WAKE: by an interrupt handler, not by actor */
	/* FORK: from a sample; the record may have come before */
	bool again;
	uint32_t cpu;       /* where it happened; CP_NO_ID */
	uint32_t tid, next; /* CP_NO_ID */
	uint32_t pid;       /* of tid; CP_NO_ID: not told */
	uint32_t to_cpu;    /* WAKE*, MIGRATE; CP_NO_ID */
	uint32_t actor;     /* tid of who ran on cpu; CP_NO_ID */
	/* OUT: of the last sample since it got the CPU: the record has none */
	cp_stack_id stack;
	cp_string_id comm; /* FORK, COMM; 0: not told */
	/* The host's. */
	const struct cp_sample *sample;
	const struct cp_sched_layout *layout;
};

enum cp_span_kind {
	CP_SPAN_UNKNOWN,
	CP_SPAN_RUNNING,
	CP_SPAN_PREEMPTED, /* runnable: it was taken off the CPU */
	CP_SPAN_WOKEN,     /* runnable: it waits for the CPU after a wake-up */
	CP_SPAN_BLOCKED,   /* waits for a wake-up */
	CP_SPAN_KINDS
};

/* CPUs told apart: more than the kernel supports. */
enum { CP_SCHED_CPUS = 65536, CP_SCHED_NAME = 16 };

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
	/* who got its CPU when it was switched out: an index; CP_NO_ID */
	uint32_t taker;
	uint64_t moved; /* time when it last moved to another CPU's queue */
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
	CP_SPAN_CUT_START = 4,  /* it began before the window of --time */
	CP_SPAN_CUT_END = 8,    /* it went on after that */
};

struct cp_span {
	/*
	 * pid, comm, name, cpu, letter, stack, waker, taker and moved are those
	 * of the span; other fields may be newer.
	 */
	const struct cp_sched_thread *thread;
	uint64_t start, end;
	uint8_t kind;
	/* CP_SPAN_OPEN_*, CP_SPAN_CUT_*; one byte: read as soon as written */
	uint8_t open;
	/* stack, letter and waker may be older than the loss */
	bool after_loss;
	/* BLOCKED: false if its wake-up was not seen, be it after a window. */
	bool woken;
	/* Its end alone tells what it was: nothing before a loss in it. */
	bool by_end;
};

/* The times in which records were lost. */
struct cp_lost_span {
	uint64_t start, end;
};
/* Zeroed: none. */
struct cp_lost_spans {
	struct cp_lost_span *all; /* disjoint, ascending */
	uint32_t n, cap;
};
/*
 * Adds a loss; they come in order of their ends, and overlapping ones are
 * merged.
 */
CP_API void cp_lost_spans_add(
    struct cp_lost_spans *, struct cp_run *, uint64_t start, uint64_t end);
/* Finds the first loss that ends after a time; NULL: none does. */
CP_API const struct cp_lost_span *cp_lost_spans_after(
    const struct cp_lost_spans *, uint64_t time);

/* Where the states of threads come from, from worst to best. */
enum cp_sched_source {
	CP_SCHED_BY_NOTHING,
	CP_SCHED_BY_RECORDS, /* context-switch records */
	CP_SCHED_BY_SWITCH,  /* sched_switch */
};

/* The states of a capture's threads, as far as it was read. */
struct cp_spans {
	struct cp_run *run;
	/* What sample() or event() is about; NONE: not about the scheduler. */
	struct cp_sched_event event;
	/* Its threads: tid's and next's; NULL: idle, or unknown. */
	const struct cp_sched_thread *who, *next;
	/* the thread that had the tid of `next` before */
	const struct cp_sched_thread *gone;
	uint32_t n_threads;
	uint32_t running;     /* threads that are known to run now */
	uint64_t first, last; /* times of events; CP_NO_TIME */
	uint64_t seen[CP_SCHED_KINDS];
	/*
	 * A switch was seen that records repeat; one of the idle task's; a
	 * record of a thread that gets the CPU.
	 */
	bool switches, idles, begins;
	uint64_t misfits; /* switches that do not fit the one before */
	struct cp_lost_spans losses;
	uint64_t late; /* losses reported after spans they concern */
	/*
	 * Threads that left a CPU after they began to run on another, by the
	 * clocks of both, and the largest difference in ns.
	 */
	uint64_t skewed, skew;
};

/* True if a record was lost between these times; to UINT64_MAX: or since. */
static inline bool
cp_spans_lost_within(const struct cp_spans *s, uint64_t from, uint64_t to)
{
	const struct cp_lost_span *l = cp_lost_spans_after(&s->losses, from);

	return l != NULL && l->start < to;
}

typedef void (*cp_span_fn)(void *ctx, const struct cp_span *);

/*
 * Returns the states of threads, and calls the function for each span from now
 * on, cut to the windows of --time: once for each window that has a part of it;
 * NULL: spans are not asked for.  Only begin() may call it.  Asking twice for
 * the same function and context is asking once.
 */
CP_API const struct cp_spans *cp_run_spans(
    struct cp_run *, cp_span_fn, void *ctx);
/* The same, whatever --time keeps; before the parts of the span. */
CP_API const struct cp_spans *cp_run_spans_whole(
    struct cp_run *, cp_span_fn, void *ctx);
CP_API enum cp_sched_source cp_spans_source(const struct cp_spans *);
/*
 * Returns how many threads ran at once when the sample that is passed on was
 * taken, its own among them, as perf 6.15 counts; 0: switches do not tell, or
 * begin() did not ask for spans.
 */
CP_API uint32_t cp_run_parallelism(struct cp_run *, const struct cp_sample *);
/*
 * The capture has the switches of some threads, and nothing of others: not who
 * had a CPU, nor whether it was idle.
 */
CP_API bool cp_spans_tasks_only(const struct cp_spans *);
/* Returns the thread of an index < n_threads. */
CP_API const struct cp_sched_thread *cp_spans_thread(
    const struct cp_spans *, uint32_t index);
/* Returns the thread that has the tid now; NULL: never seen, or idle. */
CP_API const struct cp_sched_thread *cp_spans_find(
    const struct cp_spans *, uint32_t tid);
/* Returns the last name of the thread, ":TID" if it is not known. */
CP_API cp_string_id cp_sched_thread_name(
    const struct cp_spans *, const struct cp_sched_thread *);
/* Returns the thread's process; CP_NO_ID: not known. */
CP_API uint32_t cp_sched_thread_pid(
    const struct cp_spans *, const struct cp_sched_thread *);
/* True if --pid, --tid and --comm keep the thread. */
CP_API bool cp_sched_thread_kept(
    const struct cp_spans *, const struct cp_sched_thread *);
/* Return the time when the thread's lifetime in the capture begins or ends. */
CP_API uint64_t cp_sched_thread_start(
    const struct cp_spans *, const struct cp_sched_thread *);
CP_API uint64_t cp_sched_thread_end(
    const struct cp_spans *, const struct cp_sched_thread *);

#ifdef __cplusplus
}
#endif

#endif
