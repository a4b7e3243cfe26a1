/* SPDX-License-Identifier: MIT */
/*
 * analyses/tasks/events.h: samples and side-band records as events of the
 * scheduler.
 *
 * The rules are those of perf 7: sched_waking replaces sched_wakeup where it
 * was recorded, a preempted task stays runnable, letters of states are those
 * of the event's own format.  Ids are those of the event's fields, since the
 * ids of a sample are -1 for tasks that are being reaped.
 *
 * This room turns a capture's scheduler events into spans of time of each
 * thread: events.c decodes, switch-states.c reads letters of states, spans.c
 * makes the spans.  It may use coldperf/plugin.h and analyses/common.  Begin in
 * spans.h.
 */
#ifndef CP_ANALYSES_TASKS_EVENTS_H
#define CP_ANALYSES_TASKS_EVENTS_H

#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/repeats.h"
#include "analyses/tasks/switch-states.h"

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

struct cp_sched_event {
	uint64_t time;  /* CP_NO_TIME */
	uint64_t value; /* RUNTIME: ns */
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
	cp_stack_id stack;  /* of the sample */
	cp_string_id comm;  /* FORK, COMM; 0: not told */
	/* Of a sample, for cp_sched_event_name(). */
	const struct cp_sample *sample;
	const struct cp_sched_layout *layout;
};

/* The sources of a capture, from worst to best. */
enum cp_sched_source {
	CP_SCHED_BY_NOTHING,
	CP_SCHED_BY_RECORDS, /* context-switch records */
	CP_SCHED_BY_SWITCH,  /* sched_switch */
};

struct cp_sched_layout;
struct cp_sched_decoder {
	struct cp_run *run;
	struct cp_sched_layout *layout; /* by event */
	uint32_t n;
	enum cp_scope scope; /* of the capture, as its switches show it */
	bool waking;         /* sched_waking is among the events */
	bool runtime;        /* so is sched_stat_runtime */
	bool twice;          /* several events record one tracepoint */
	struct cp_repeats repeats;
	struct cp_sched_states states;
	uint64_t seen[CP_SCHED_KINDS];
};

/*
 * Events that tell how long something took.  If they were sampled (not every
 * occurrence is recorded) they are not decoded: most switches would be missing.
 */
extern const struct cp_probe cp_sched_probes[];

void cp_sched_decoder_init(struct cp_sched_decoder *, struct cp_run *);
/* Any sample is an event of its CPU: kind may be CP_SCHED_NONE. */
void cp_sched_decode_sample(struct cp_sched_decoder *, const struct cp_sample *,
    struct cp_sched_event *out);
void cp_sched_decode_sideband(struct cp_sched_decoder *,
    const struct cp_sideband *, struct cp_sched_event *out);

/* The name that the event has for tid or next; false: it has none. */
enum { CP_SCHED_NAME = 16 };
bool cp_sched_event_name(const struct cp_sched_event *, uint32_t tid,
    char out[static CP_SCHED_NAME]);

/* Returns the best source among the events decoded so far. */
enum cp_sched_source cp_sched_source(const struct cp_sched_decoder *);
bool cp_sched_sees_wakes(const struct cp_sched_decoder *);

#endif
