/* SPDX-License-Identifier: MIT */
/*
 * analyses/report/report.h: what the files of this room share.
 *
 * This room has what only the overview shows: symbols with their paths,
 * callees.c, sample-load.c, unnamed-objects.c; and it brings together what
 * others tell (others.c).  It may use coldperf/plugin.h, analyses/accounts,
 * analyses/lost, analyses/common and analyses/precision.  Begin in
 * analyses/report.c.
 */
#ifndef CP_ANALYSES_REPORT_REPORT_H
#define CP_ANALYSES_REPORT_REPORT_H

#include "analyses/accounts/tellers.h"
#include "analyses/common/call-sums.h"
#include "analyses/common/losses.h"
#include "analyses/common/parallel.h"
#include "analyses/common/sample-groups.h"
#include "analyses/lost/chain-ends.h"
#include "analyses/precision/rows.h"

/*
 * callees.c: the heaviest functions with what they call.
 *
 * A function's weight is that of the samples with it anywhere on their chain,
 * a callee's that of the samples in which the function calls it directly;
 * either once per sample.  A function calling itself is no callee.
 */

/* The whole of an entity's share, with its dispersion. */
typedef struct cp_whole (*cp_whole_fn)(void *ctx, uint32_t entity);
/* Adds the table, unless no sample has a caller. */
void cp_downwards_show(const struct cp_sums *, struct cp_whole all, cp_whole_fn,
    void *ctx, struct cp_report *);

/*
 * pauses.c: how long the kernel stopped sampling.
 *
 * It stops an event on a CPU that has too many samples, until the next tick.
 * Linux 6.17 says so for each sample: a pause that is shorter than the interval
 * of the samples loses none.
 */

struct cp_pauses {
	struct cp_run *run;
	struct cp_pause_cpu *cpus; /* by number */
	uint32_t n;
	uint64_t lost;   /* ns without samples that should have had some */
	uint64_t times;  /* such pauses */
	bool timed;      /* times and CPUs were recorded */
	uint32_t event;  /* of the first sample */
	unsigned events; /* 0: no sample yet, 1: of one event, else of more */
};

void cp_pauses_sample(struct cp_pauses *, const struct cp_sample *);
void cp_pauses_event(struct cp_pauses *, const struct cp_sideband *);

/*
 * sample-load.c: how samples spread over time, in a fixed
 * number of slices.
 *
 * The slices double their width when the span outgrows them.  So the length of
 * the capture need not be known in advance, and memory does not grow.
 */

#define CP_SLICES 64

struct cp_sample_load {
	uint64_t base;  /* time of the first sample; valid once n is not 0 */
	uint64_t width; /* of a slice, ns; 0: nothing yet */
	uint64_t last;  /* time since base */
	uint64_t slice[CP_SLICES];
	uint64_t samples;
};

void cp_sample_load_add(struct cp_sample_load *, uint64_t time);
/* Adds a sentence on how even the load was, if samples have times. */
void cp_sample_load_note(
    const struct cp_sample_load *, const struct cp_run *, struct cp_report *);
/* Adds a lane with a cell for each slice, filled by its number of samples. */
void cp_sample_load_show(const struct cp_sample_load *, struct cp_report *);

/* symbols.c: the heaviest symbols of the overview. */

struct cp_busy;
struct cp_causes;
struct cp_modes;
struct cp_others;
struct cp_payload_sums;
struct cp_overview_symbol;
struct cpi;

struct cp_overview {
	struct cp_run *run;
	uint64_t top;
	struct cp_groups events, threads;
	struct cp_tally *stacks;    /* group of events, stack */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* event, cpu */
	struct cp_tally *left_out;  /* the same of what filters leave out */
	struct cp_sample_load load;
	struct cp_causes *causes;
	bool waits;     /* its waits are known */
	bool explained; /* what waited for a CPU */
	struct cp_others *others;
	struct cp_busy *busy;
	struct cp_modes *modes;
	struct cpi *cpi;

	/* Set in finish(), for the event shown. */
	uint32_t event;
	struct cp_whole all;
	struct cp_precision precision;
	struct cp_rows_precision sure;
	struct cp_paths paths;
	struct cp_entities entities;
	struct cp_sums sums;
	struct cp_overview_symbol *symbols; /* heaviest first */
	uint32_t n_symbols, n_shown;
	struct cp_parallel parallel;
	struct cp_pauses pauses;
	uint64_t *idle; /* by entity: of CPUs without work; NULL: not known */
};

/*
 * Returns the symbol of that rank by self weight; rank < n_symbols, 0 is the
 * heaviest.
 */
const struct cp_entity *cp_overview_heaviest(
    const struct cp_overview *, uint32_t rank);
/* Adds up the event shown; call it before the other functions. */
void cp_overview_sum(struct cp_overview *);
/* Notes whether the order of the two heaviest functions is certain. */
void cp_overview_note_precision(struct cp_overview *, struct cp_report *);
void cp_overview_symbols(struct cp_overview *, struct cp_report *);

/* cpus.c: CPUs that were not recorded. */

/*
 * Whether a thread that was not seen to run may have run on a CPU that was not
 * recorded (perf record -C).
 */
bool cp_overview_lacks_cpus(const struct cp_overview *);
/* Returns how many CPUs have samples of the event shown. */
uint32_t cp_overview_cpus(const struct cp_overview *);
/* Adds notes to the table of waits for a CPU. */
void cp_overview_note_waits(const struct cp_overview *, struct cp_report *);

/* Notes which CPUs have the most and the fewest samples. */
void cp_overview_note_cpus(struct cp_overview *, struct cp_report *);

/* busy.c: the longest time that a CPU was busy all the time. */

struct cp_busy *cp_busy_new(struct cp_run *);
/* Of events that measure time. */
void cp_busy_sample(struct cp_busy *, const struct cp_sample *);
/* Of one event; after stacks were named. */
void cp_busy_show(struct cp_busy *, uint32_t event, struct cp_accounts *);

/* modes.c: what the CPUs did: user code, kernel, interrupts, idle, guests. */

struct cp_modes *cp_modes_new(struct cp_run *);
/* Counts a sample that the filters keep. */
void cp_modes_sample(struct cp_modes *, const struct cp_sample *);
/*
 * Of one event, whose samples weigh all; after stacks were named.  The view's
 * samples tell how sure the shares are; their groups are threads.  Without
 * accounts nothing is found.
 */
struct cp_modes_of {
	uint32_t event;
	struct cp_whole all;
	struct cp_view *view;
	const struct cp_groups *threads;
};
void cp_modes_show(struct cp_modes *, const struct cp_modes_of *,
    struct cp_accounts *, struct cp_report *);
/*
 * Adds the weight of idle CPUs, which wait for work, to the entity of
 * the innermost frame.  After stacks were named.
 */
void cp_modes_idle(struct cp_modes *, uint32_t event, const struct cp_sums *,
    uint64_t *by_entity);

/*
 * others.c: what other analyses tell of events of theirs; branches.c and
 * faults.c are two of these.
 */

extern const struct cp_teller cp_branches_teller, cp_faults_teller;

struct cp_others *cp_others_new(struct cp_run *);
/* Returns the CP_WANT_* flags that they need. */
uint32_t cp_others_wants(const struct cp_run *);
/* Call it with all samples, also those that the filters leave out. */
void cp_others_sample(struct cp_others *, const struct cp_sample *);
void cp_others_event(struct cp_others *, const struct cp_sideband *);
void cp_others_tell(struct cp_others *, struct cp_accounts *);
/* The table of tracepoints that nobody else knows. */
void cp_others_events(
    struct cp_others *, const struct cp_overview *, struct cp_report *);

/* payloads.c: that table. */
struct cp_payload_sums *cp_payload_sums_new(struct cp_run *);
void cp_payload_sums_add(struct cp_payload_sums *, const struct cp_sample *);
void cp_payload_sums_show(
    struct cp_payload_sums *, const struct cp_overview *, struct cp_report *);

/*
 * Notes what was not recorded; waits: the capture has the waits of threads.
 */
void cp_others_missing(const struct cp_run *, const struct cp_accounts *,
    bool waits, struct cp_report *);

/*
 * host.c: what the host's CPUs can count.
 */

/* Whether its CPUs have counters; a virtual machine may have none. */
bool cp_host_counts(const struct cp_run *);
/* Whether it can record what the advice says. */
bool cp_host_branches(const struct cp_run *);
bool cp_host_memory(const struct cp_run *);

/* trust.c: how far the capture can be trusted. */

/* Flaws of the capture itself. */
void cp_trust_input(struct cp_run *, struct cp_accounts *);
/* What was lost; what of the event shown has no name, or no callers. */
void cp_trust_quality(struct cp_run *, const char *event,
    const struct cp_pauses *, const struct cp_named *,
    const struct cp_chain_ends *, struct cp_accounts *);
/* Do so many samples lack names that the report says how to get them? */
bool cp_trust_lacks_names(const struct cp_named *);

/*
 * heavy.c: which code the event's samples are of: the program's own function
 * that costs most, and the widest one below main.
 */
void cp_heavy_show(struct cp_overview *, struct cp_accounts *);

/* recorded.c: who was recorded, and what other events have most of. */

/* Of an event with few samples. */
void cp_few_show(struct cp_overview *, struct cp_accounts *);
/* If few samples carry most of the weight, all shares are uncertain. */
void cp_uneven_show(struct cp_overview *, struct cp_accounts *);
/*
 * Which commands the samples are of, where there are several; of an event that
 * is time, also one thread that does it all, and the recorder's part.
 */
void cp_recorded_show(struct cp_overview *, bool time, struct cp_accounts *);
/* Where other events than the one shown, and than time, have their samples. */
void cp_other_events_show(struct cp_overview *, struct cp_accounts *);

/*
 * families.c: functions of one class, namespace, crate, package, module or role
 * that together have more of the event than any one function.
 */
void cp_families_show(struct cp_overview *, struct cp_accounts *);

/* hot-object.c: the file that has most of an event's samples.
 */

/* The heaviest code, which was told; entity: CP_NO_ID if there is none. */
struct cp_hot_code {
	uint32_t entity;
	uint64_t weight; /* with the library code that it calls */
	bool flat;       /* it is little */
};

/*
 * Finds the heaviest object: a library with a known role, or one whose
 * functions have no names, if the heaviest code does not say as much.
 */
void cp_hot_object_show(
    struct cp_overview *, const struct cp_hot_code *, struct cp_accounts *);
/* The part of the entity's own weight that is of CPUs without work. */
uint64_t cp_idle_weight(const struct cp_overview *, uint32_t entity);

/* threads.c: the heaviest threads of the event shown. */

/* Adds their table; threads of a pool are one row. */
void cp_overview_threads(struct cp_overview *, struct cp_report *);

/*
 * unnamed-objects.c: the objects whose samples have no symbol,
 * and why.
 *
 * Counts samples by their innermost frame, as the account of names does.
 */

/*
 * Adds a table of the objects that have many such samples, if there are any.
 * The stacks (b) of the rows must have been named.
 */
void cp_unnamed_show(
    struct cp_run *, const struct cp_tally_row *, size_t, struct cp_report *);

#endif
