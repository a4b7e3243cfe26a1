/* SPDX-License-Identifier: MIT */
/*
 * run/facts/facts.h: the machine behind coldperf/spans.h.
 *
 * This room makes facts that analyses share, once for all of them: spans.c
 * takes samples and records, events.c decodes the scheduler's events
 * (switch-states.c reads letters of states), states.c is the machine, which
 * ends.c, forget.c, skew.c, cpus.c and threads.c are parts of; held.c passes
 * spans on, losses.c knows when records were lost.  It may use include/coldperf
 * and base.  Begin in spans.c.
 */
#ifndef CP_RUN_FACTS_FACTS_H
#define CP_RUN_FACTS_FACTS_H

#include <coldperf/spans.h>

#include "base/hash.h"

enum { CP_SCHED_STATES = 32 };

/*
 * What prev_state of sched_switch means.  Bits and letters differ between
 * kernels, so they are taken from the event's own print format, and so is the
 * bit that marks a preempted task.  Without a format the values of Linux 4.14
 * and later are taken.
 */
struct cp_sched_states {
	uint64_t mask;                /* of all bits that have a letter */
	uint64_t preempted;           /* the bit, 0: none */
	char letter[CP_SCHED_STATES]; /* by bit, 0: none */
};

struct cp_sched_decoder {
	struct cp_run *run;
	uint64_t *seen;                 /* events by kind */
	struct cp_sched_layout *layout; /* by event */
	uint32_t n;
	enum cp_scope scope; /* of the capture, as its switches show it */
	bool waking;         /* sched_waking is among the events */
	bool twice;          /* several events record one tracepoint */
	struct cp_repeats *repeats;
	struct cp_sched_states states;
};

/* Stands for the thread of an idle CPU. */
#define CP_THREAD_IDLE (CP_NO_ID - 1)

/* What a CPU runs. */
struct cp_sched_cpu {
	uint64_t last; /* time of its last event; 0: none yet */
	/* Neighbours in the order of last; CP_NO_ID: none. */
	uint32_t older, newer;
	/* losses on unknown CPUs that were applied to it */
	uint32_t losses_anywhere;
	/* all of its switches since then were recorded */
	uint64_t known;
	uint32_t current;      /* thread, CP_THREAD_IDLE or CP_NO_ID */
	uint64_t current_last; /* when that was last seen running */
	/*
	 * Number of records lost: the sum of LOST records, and the count that
	 * the kernel gave when the recording ended.
	 */
	uint64_t lost_told, lost_counted;
};

/*
 * Losses that concern spans still held.  The first entry cuts the oldest span;
 * it began before all later ones.
 */
struct cp_held_cuts {
	struct cp_held_cut {
		uint64_t start, held_ever; /* held_ever when the loss came */
	} * all;
	uint32_t first, n, cap;
};

struct cp_span_listener {
	cp_span_fn fn;
	void *ctx;
	bool whole; /* not cut to --time */
};

struct cp_taskstate {
	struct cp_spans pub; /* first member */
	struct cp_sched_decoder decoder;
	struct cp_span_listener *listener;
	uint32_t n_listeners, max_listeners;
	bool watching;      /* the capture has events or records of switches */
	uint32_t looked_at; /* events that were looked at for that */
	/* By tid: stack + 1 of a sampled switch whose record comes next. */
	struct cp_map64 switch_stack;
	/* The same of its last sample since it got the CPU. */
	struct cp_map64 last_stack;
	/*
	 * By tid: 1 if a sample alone shows that it runs, as before the first
	 * switch of a thread, 2 if it did; and how many do.
	 */
	struct cp_map64 sampled;
	uint32_t n_sampled;
	struct cp_sched_thread **chunk;
	uint32_t n_chunks;
	uint32_t *slots; /* thread + 1 by tid, 0: empty */
	uint32_t mask;
	struct cp_sched_cpu *cpu;
	uint32_t n_cpus;
	/* CPUs that had events, by the time of their last; CP_NO_ID: none */
	uint32_t oldest_cpu, newest_cpu;
	/* Losses on unknown CPUs: their number, and the time of the last. */
	uint32_t losses_anywhere;
	uint64_t loss_anywhere;
	struct cp_held **held; /* blocks of a ring: spans not told yet */
	uint32_t held_first, n_held;
	uint64_t held_ever; /* spans that have been held */
	/* Losses on known CPUs, and on unknown ones. */
	struct cp_held_cuts cuts[2];
	/* all spans of events before this time have been told */
	uint64_t told_until;
	/*
	 * Number of records lost, as in struct cp_sched_cpu, over all CPUs;
	 * lost_anywhere: counted without a CPU.
	 */
	uint64_t lost_told, lost_counted, lost_anywhere;
	uint64_t now; /* time of the current event */
};

/* --------------------------------------------------------------- the host's */

struct cp_taskstate *cp_taskstate_new(struct cp_run *);
void cp_taskstate_free(struct cp_taskstate *);
/* Begins anew with the next capture; listeners stay. */
void cp_taskstate_restart(struct cp_taskstate *);
void cp_taskstate_listen(struct cp_taskstate *, struct cp_span_listener);
/*
 * Looks at events that were described since, as a pipe may do after the first
 * samples, and decides whether samples tell something.  records: of switches
 * may come.
 */
void cp_taskstate_look(struct cp_taskstate *, bool records);
/*
 * While `watching', call it with all samples, also those that the filters leave
 * out; and the other with all side-band records; before the analyses.
 */
void cp_taskstate_sample(struct cp_taskstate *, const struct cp_sample *);
void cp_taskstate_sideband(struct cp_taskstate *, const struct cp_sideband *);
/* cp_run_parallelism(). */
uint32_t cp_taskstate_parallelism(
    struct cp_taskstate *, const struct cp_sample *);
/* Ends all spans at the end of the capture. */
void cp_taskstate_finish(struct cp_taskstate *);

/* ---------------------------------------------------------------- decoding */

void cp_sched_decoder_init(
    struct cp_sched_decoder *, struct cp_run *, uint64_t *seen);
/* Does the capture have an event of the scheduler from index `from` on? */
bool cp_sched_decoder_finds(const struct cp_run *, uint32_t from);
/* Any sample is an event of its CPU: kind may be CP_SCHED_NONE. */
void cp_sched_decode_sample(struct cp_sched_decoder *, const struct cp_sample *,
    struct cp_sched_event *out);
/* Was it taken as its thread left the CPU, be it an event or not? */
bool cp_sched_is_switch(struct cp_sched_decoder *, const struct cp_sample *);
void cp_sched_decode_sideband(struct cp_sched_decoder *,
    const struct cp_sideband *, struct cp_sched_event *out);
/* The name that the event has for tid or next; false: it has none. */
bool cp_sched_event_name(const struct cp_sched_event *, uint32_t tid,
    char out[static CP_SCHED_NAME]);

/* print_format may be "". */
void cp_sched_states_parse(struct cp_sched_states *, const char *print_format);
/* The letter of the lowest bit set, 'R' if none is. */
static inline char
cp_sched_states_letter(const struct cp_sched_states *st, uint64_t value)
{
	value &= st->mask;
	return value == 0 ? 'R' : st->letter[__builtin_ctzll(value)];
}

/* ------------------------------------------------------------- the machine */

/*
 * Handles the next event in order of time; a NONE event shows that no record of
 * its CPU was lost before.
 */
void cp_taskstate_event(struct cp_taskstate *, const struct cp_sched_event *);

/* What the event that ends a span proves about the time before it. */
struct cp_evidence {
	uint64_t end;
	uint64_t from;  /* `really` is proven from this time on */
	uint8_t really; /* what the thread was doing, enum cp_span_kind */
	bool woken;     /* the event is a wake-up */
	bool open_end;  /* it is the end of the capture */
};
/* Ends the thread's span and passes it on. */
void cp_span_end(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_evidence *);
/* True if a record was lost that the thread's span may depend on. */
bool cp_span_touched(
    const struct cp_taskstate *, const struct cp_sched_thread *);
/* The thread of the tid does not run any more, as its samples showed. */
static inline void
cp_taskstate_unsample(struct cp_taskstate *ts, uint32_t tid)
{
	if (ts->n_sampled != 0 && cp_map64_get(&ts->sampled, tid) == 1) {
		*cp_map64_put(&ts->sampled, tid) = 2;
		ts->n_sampled--;
	}
}
/* Begins the thread's next span.  One that exits does not run any more. */
static inline void
cp_span_begin(
    struct cp_taskstate *ts, struct cp_sched_thread *t, enum cp_span_kind kind)
{
	cp_taskstate_unsample(ts, t->tid);
	ts->pub.running += kind == CP_SPAN_RUNNING && !t->exiting;
	ts->pub.running -= t->kind == CP_SPAN_RUNNING && !t->exiting;
	t->kind = (uint8_t)kind;
	t->clear = CP_NO_TIME;
}

/*
 * A thread that moves may begin to run on a CPU before it leaves another, if
 * the clock of the first is behind.  The switches of each CPU are consistent by
 * themselves, so both spans are believed; they overlap by the difference.
 *
 * The thread begins to run: true if it runs on another CPU still, so that its
 * span begins when it has left that.
 */
bool cp_skew_begins(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_sched_event *);
/*
 * The thread is about to leave the event's CPU.  Returns the time at which it
 * began to run elsewhere by then; CP_NO_TIME: it did not.
 */
uint64_t cp_skew_ends(struct cp_taskstate *, struct cp_sched_thread *,
    const struct cp_sched_event *);

/*
 * Makes the thread of a CPU unknown; the thread that ran there did so until it
 * was last seen.
 */
void cp_cpu_forget(struct cp_taskstate *, struct cp_sched_cpu *);
/* Makes a thread unknown that was assumed to run on another CPU. */
void cp_thread_forget(struct cp_taskstate *, struct cp_sched_thread *);
/*
 * Handles a LOST record: of the event's CPU, or of any CPU if the record has
 * none.
 */
void cp_forget_lost(struct cp_taskstate *, const struct cp_sched_event *);
/* Counts records that were lost; without a time: all of the recording. */
void cp_forget_count(struct cp_taskstate *, const struct cp_sched_event *);
/*
 * Handles losses for which no LOST record with a time came: they are at the end
 * of the capture.
 */
void cp_forget_untold(struct cp_taskstate *);

/* Holds a span back, because a loss that is not reported yet may change it. */
void cp_held_add(struct cp_taskstate *, const struct cp_span *);
/*
 * Reports that records were lost since start.  A loss on a known CPU does not
 * concern threads that ran on others.
 */
void cp_held_lose(struct cp_taskstate *, uint64_t start, bool known_cpu);
/* Passes on all spans that are held. */
void cp_held_release(struct cp_taskstate *);

/* -------------------------------------------------------- threads and CPUs */

struct cp_sched_thread *cp_taskstate_thread(
    const struct cp_taskstate *, uint32_t index);
struct cp_sched_thread *cp_taskstate_find(
    const struct cp_taskstate *, uint32_t tid);
struct cp_sched_thread *cp_thread_new(struct cp_taskstate *, uint32_t tid);
/*
 * Returns the thread, made if it is new; NULL: the tid is idle, or not known.
 */
struct cp_sched_thread *cp_thread_get(struct cp_taskstate *, uint32_t tid);
/* Returns the last name of the tid's thread; 0: it is not known. */
cp_string_id cp_thread_comm(const struct cp_taskstate *, uint32_t tid);

/* Makes room for a CPU; for cp_cpu_get(). */
void cp_cpus_grow(struct cp_taskstate *, uint32_t cpu);
/* Returns NULL if the event has no CPU.  Called several times an event. */
static inline struct cp_sched_cpu *
cp_cpu_get(struct cp_taskstate *ts, uint32_t cpu)
{
	if (cpu >= CP_SCHED_CPUS)
		return NULL;
	if (cpu >= ts->n_cpus)
		cp_cpus_grow(ts, cpu);
	return &ts->cpu[cpu];
}
/* The CPU has an event now: after cp_cpu_get(), before the event counts. */
void cp_cpu_wake(struct cp_taskstate *, struct cp_sched_cpu *);
/* The event is its last one. */
void cp_cpu_seen(struct cp_taskstate *, struct cp_sched_cpu *, uint64_t time);

#endif
