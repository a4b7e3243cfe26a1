/* SPDX-License-Identifier: MIT */
/*
 * run/api.h: the host side of coldperf/plugin.h.
 *
 * run/ leads one pass over a capture from its records to the report of any
 * number of analyses: filters, call chains, names, inlined functions.  It may
 * use readers/, symbolize/, model/, report/ and base/, and never prints;
 * progress is a callback in options.h.  Begin at run.c.
 */
#ifndef CP_RUN_API_H
#define CP_RUN_API_H

#include "base/buf.h"
#include "report/report.h"
#include "base/spill/spill.h"
#include "base/tally.h"
#include "run/filter/filter.h"
#include "run/options.h"
#include "model/session.h"
#include "readers/reader.h"
#include "run/choice.h"

/* One analysis of a run. */
struct cp_task {
	const struct cp_analysis *analysis;
	void *state;
	uint32_t wants;
};

/* weight.c: the state of --weight field:NAME and latency. */
struct cp_weighing {
	CP_VEC(bool) looked; /* by event: the field was looked up */
	CP_VEC(const struct cp_field *) field;
	uint64_t found, absent, negative; /* counts of samples */
	CP_VEC(double) carried;           /* by event: parts of a unit */
};

/* What a run over the union of captures knows of its frames and objects. */
struct cp_merged {
	const char *first; /* path of the first capture */
	/* By frame: its function, named or told by its bounds; or NULL. */
	CP_VEC(const struct cp_symbol *) function;
	CP_VEC(uint64_t) vaddr; /* by frame; UINT64_MAX: not known */
	CP_VEC(struct cp_dso_state) object; /* by dso id - 1 */
	CP_VEC(const char *) release;       /* the same: of kernels; or NULL */
};

struct cp_run {
	const struct cp_run_options *options;
	struct cp_diags *diags;
	const char *path; /* of the capture being read; "-": a stream */
	struct cp_capture capture;
	struct cp_recording rec;
	struct cp_session session;
	struct cp_order order;
	struct cp_event reread; /* a sample that was read again */
	struct cp_quality quality;
	struct cp_filter filter;
	struct cp_symbols *symbols;
	struct cp_bounds *bounds;        /* made when first needed */
	struct cp_unwinder *unwinder;    /* the same */
	struct cp_caller_judge *callers; /* the same; uses the unwinder */
	struct cp_arena arena;
	CP_VEC(struct cp_task) tasks;
	struct cp_task *current;      /* the task whose callback runs */
	struct cp_report *report;     /* in capture(); NULL: none */
	const struct cp_queued *at;   /* the current event */
	uint32_t wants;               /* CP_WANT bits of all tasks */
	bool want_sideband, want_all; /* wanted by some task */
	CP_VEC(uint64_t)
	/* samples that passed the filters, by event */
	kept;
	CP_VEC(uint32_t)
	/* by event: the first one of its meaning */
	meaning;
	CP_VEC(cp_stack_id)
	/* by stack: the cut one; 0: not cut yet */
	cut_stack;
	CP_VEC(cp_frame_id)
	/* innermost frames of the stack being cut */
	innermost;
	CP_VEC(struct cp_pattern *) patterns; /* compiled patterns of options */
	bool switches;   /* the capture has context-switch records */
	bool started;    /* a sample or switch was seen ... */
	uint64_t start;  /* ... the first one at this time */
	uint32_t missed; /* captures that have no sample left after a filter */
	struct cp_weighing weighing;
	struct cp_payloads *payloads; /* made when first needed */
	CP_VEC(struct cp_tally *) tallies;
	struct cp_tally *leaves;    /* one of them; NULL: nothing wants it */
	struct cp_taskstate *spans; /* the same */
	CP_VEC(struct cp_spill *) spills;
	CP_VEC(struct cp_fact) facts;
	bool facts_made;
	/* Symbols by frame id; each frame is looked up once. */
	CP_VEC(const struct cp_symbol *) symbol;
	/* collect.c: names of frames that stand for something; or NULL */
	const struct cp_symbol *lost_caller, *not_code, *deeper;
	CP_VEC(uint8_t) named;
	/*
	 * naming.c: CP_ENTRY bits by frame id, of the stacks before
	 * entries_of
	 */
	CP_VEC(uint8_t) entries;
	size_t entries_of;
	/* inlining.c: by frame id, and expanded stacks by stack id. */
	CP_VEC(struct cp_spots) spots;
	CP_VEC(cp_stack_id) inlined;
	/* frame -> first of the frames made for its spots */
	struct cp_map64 placed;
	/* redact.c: by symbol id, the symbol that is shown instead */
	CP_VEC(const struct cp_symbol *) hidden;
	/*
	 * the union of several captures (merge/), or a snapshot's tables; NULL:
	 * one capture
	 */
	const struct cp_merged *merged;
	CP_VEC(struct cp_report_origin) origins; /* of several; origins.c */
	/* what was chosen of captures before the one being read */
	CP_VEC(const char *) compared;
	/* diagnostics of other captures, when this one was opened */
	uint64_t said[CP_D_COUNT];
	struct cp_tables *tables; /* of a snapshot without records; or NULL */
	/* code that listing.c has disassembled so far */
	size_t code_bytes;
	bool told_no_disasm; /* that none of it can be disassembled */
	/*
	 * Callback of commands that are no analyses: it gets every sample kept.
	 */
	int (*tap)(void *ctx, struct cp_run *, const struct cp_queued *,
	    const struct cp_sample *);
	void *tap_ctx;
	/* Gets each user stack with the words it was unwound to; or NULL. */
	void (*unwound)(void *ctx, const struct cp_unwind *, size_t n);
	void *unwound_ctx;
	/* the tap also gets samples without a counted period */
	bool tap_uncounted;
};

/* run.c: opens the capture; CP_FAIL after a diagnostic. */
int cp_run_open(struct cp_run *, const struct cp_run_options *,
    struct cp_diags *, const char *path) CP_MUST_USE;
/* Opens the next of several captures; the tasks keep their state. */
int cp_run_next(struct cp_run *, const char *path) CP_MUST_USE;
/*
 * Tells the tasks that one of several captures was read completely.  They may
 * then add to the report.
 */
int cp_run_captured(
    struct cp_run *, uint32_t index, struct cp_report *) CP_MUST_USE;
int cp_run_add(struct cp_run *, const struct cp_analysis *) CP_MUST_USE;
/*
 * Reads all events and passes them through order, session, filters and tasks.
 */
int cp_run_read(struct cp_run *);
/* Passes a sample that the filters kept to the tasks. */
int cp_run_give(struct cp_run *, struct cp_sample *) CP_MUST_USE;
/* max-stack.c: returns the stack without frames beyond --max-stack. */
cp_stack_id cp_run_max_stack(struct cp_run *, cp_stack_id);
/* Number of samples of the event that passed the filters so far. */
static inline uint64_t
cp_run_kept(const struct cp_run *run, uint32_t event)
{
	return event < run->kept.len ? run->kept.data[event] : 0;
}
/* meaning.c: number of samples kept of all events of the meaning. */
uint64_t cp_run_kept_meaning(struct cp_run *, uint32_t event);
/* kept-samples.c: do the filters keep the sample? */
void cp_filter_pass(struct cp_run *, struct cp_sample *);
/* The same of an object, by --dso. */
bool cp_filter_pass_object(struct cp_run *, uint32_t dso);
/* filter-check.c: reports filters that match nothing; call it after reading. */
void cp_filter_check(struct cp_run *);
/* weight.c: weighs a sample by a field; false: the sample lacks it. */
bool cp_run_weigh(struct cp_run *, struct cp_sample *);
/*
 * weight.c: returns the sample's part of its period by the threads that ran at
 * once; 0 where switches do not tell how many.
 */
uint64_t cp_run_weigh_latency(struct cp_run *, const struct cp_sample *);
/*
 * weight.c: returns the ns that a sample stands for.  Clocks count ns.  A
 * sample of another event stands for one period of the frequency that was asked
 * for, and so does one of a clock whose periods were not recorded; 0: there is
 * no frequency.
 */
uint64_t cp_run_weigh_time(const struct cp_evsel *, const struct cp_sample *);
void cp_run_weigh_end(struct cp_run *);
void cp_run_weigh_free(struct cp_run *);
/*
 * payload-filter.c: does --filter keep the sample?  Says it once if a word is
 * no field of the event and no column.
 */
bool cp_payload_filters_pass(struct cp_run *, const struct cp_sample *);
/* payload.c */
void cp_run_payloads_free(struct cp_run *);
/* spans.c: notes what a sample says of threads; run->spans is not NULL. */
void cp_run_spans_sample(struct cp_run *, const struct cp_sample *);
/* sideband.c: passes a record other than a sample to the tasks. */
int cp_run_sideband(struct cp_run *, const struct cp_queued *) CP_MUST_USE;
/* Lets the tasks write their sections. */
int cp_run_finish(struct cp_run *, struct cp_report *) CP_MUST_USE;
void cp_run_close(struct cp_run *);

/* jitdump.c: finds and reads the jitdump that a process mapped. */
bool cp_run_jit_open(void *run, const char *recorded, uint32_t pid,
    uint64_t mapped, struct cp_jit *);

/* cgroups.c: reads the paths of control groups, if it can be read again. */
void cp_run_cgroups_ahead(void *run, struct cp_map64 *paths);

/* collect.c: how names are to be searched for. */
struct cp_symbolize_options cp_run_symbolize_options(struct cp_run *);
/* naming.c: looks up the symbol of one frame, for filters and script. */
const struct cp_symbol *cp_run_symbol_now(struct cp_run *, cp_frame_id);

/*
 * Returns the address that a frame's name, inlined functions and line are asked
 * by: of a caller the byte before the return address, which is in the call.
 */
static inline uint64_t
cp_run_code_address(const struct cp_frame *f)
{
	return f->addr - ((f->flags & CP_FRAME_CALLER) != 0 && f->addr != 0);
}

/*
 * naming.c: returns the symbol of the recorded address itself, as perf
 * script shows it.
 */
const struct cp_symbol *cp_run_symbol_recorded(struct cp_run *, cp_frame_id);

/* A frame whose name or inlined functions are wanted. */
struct cp_asked {
	uint64_t addr; /* as of cp_run_code_address() */
	uint32_t dso;
	cp_frame_id frame;
};
typedef CP_VEC(struct cp_asked) cp_asked_vec;
/* Bits of cp_run.entries: does the frame enter a handler of the kernel? */
enum { CP_ENTRY = 1, CP_NO_ENTRY = 2, CP_INTERRUPTED = 4 };
/* Bits of cp_run.named: what was looked up for a frame. */
enum { CP_NAMED = 1, CP_SPOTTED = 2 };

/* The names of frames that stand for no code of any object. */
#define CP_LOST_CALLER "[caller not recorded]"
#define CP_DEEPER "[deeper]"
#define CP_NOT_CODE "[not code]"
/*
 * collect.c: the symbol of a frame that stands for something without code;
 * NULL: it is no such frame.
 */
const struct cp_symbol *cp_run_stand_in(
    struct cp_run *, const struct cp_frame *);
/* collect.c: grows the arrays by frame id to the present number of frames. */
void cp_run_reserve_names(struct cp_run *);
/*
 * Collects the frames of these stacks that do not have all of the marks yet,
 * sets them, and sorts the frames by object and address.
 */
void cp_run_collect(struct cp_run *, const cp_stack_id *, size_t n,
    uint8_t marks, cp_asked_vec *);
/* Does the same for these frames. */
void cp_run_collect_frames(struct cp_run *, const cp_frame_id *, size_t n,
    uint8_t marks, cp_asked_vec *);
/* Sorts frames by object and address. */
void cp_run_sort_asked(cp_asked_vec *);

/* inlining.c: does the current task want inlined functions? */
bool cp_run_wants_spots(const struct cp_run *);
/*
 * inlining.c: looks them up for the sorted frames, in one batch; last: no
 * further call will follow.
 */
void cp_run_spot(struct cp_run *, const cp_asked_vec *, bool last);
/* Collects these frames and does the same. */
void cp_run_spot_frames(
    struct cp_run *, const cp_frame_id *, size_t n, bool last);
/* Notes what was found for a frame. */
void cp_run_keep_spots(struct cp_run *, cp_frame_id, const struct cp_spots *);
void cp_run_spots_free(struct cp_run *);

/* collect.c: returns the symbolizer, made when first needed. */
struct cp_symbols *cp_run_symbols(struct cp_run *);

/*
 * redact.c: reads the capture once for the users and the host that it names.
 * Of several captures all are read so before the first is opened.
 */
void cp_run_learn(const struct cp_run_options *, const char *path);
/* Opens the capture after what a policy removes was removed from it. */
int cp_run_open_redacted(struct cp_run *, const char *path) CP_MUST_USE;
/* Returns the symbol, or the one that is shown instead of it. */
const struct cp_symbol *cp_run_shown(struct cp_run *, const struct cp_symbol *);
/* Are symbols, inlined functions and code of the object shown? */
bool cp_run_shows_code(const struct cp_run *, uint32_t dso);
bool cp_run_shows_source(const struct cp_run *);
/* Returns the text to show for a path of this machine; NULL for NULL. */
const char *cp_run_shown_path(const struct cp_run *, const char *);
/* Returns the inlined functions and lines to show for the object. */
struct cp_spots cp_run_shown_spots(
    struct cp_run *, uint32_t dso, struct cp_spots);

/*
 * callchains.c: sets up the source of chains; wanted: some task needs chains.
 */
void cp_run_chains(struct cp_run *, bool wanted);
/*
 * Notes that there are no chains, or none of the kind that --callchain asks
 * for.
 */
void cp_run_chains_note(struct cp_run *);
/* Are callers that chains lack marked? */
static inline bool
cp_run_marks_lost(const struct cp_run *run)
{
	enum cp_lost_callers how = run->options->lost_callers;

	return how == CP_LOST_MARK || (how == CP_LOST_AUTO && run->tap == NULL);
}
/* Frees the unwinder, which uses the session and the names. */
void cp_run_unwinder_free(struct cp_run *);

/*
 * flaws.c: writes all flaws of the capture as one line; nothing if there are
 * none.
 */
void cp_run_flaws(const struct cp_run *, struct cp_buf *);
/* Adds the labels that capture gave to the bundle: " · ticket=123". */
void cp_run_labels(const struct cp_run *, struct cp_buf *);
/*
 * On hybrid processors each kind of core has an event of its own: writes the
 * events shown as one.  False: there is one.
 */
bool cp_run_hybrid(struct cp_run *, uint32_t event, struct cp_buf *);
/* label.c: writes the head of every report. */
void cp_run_label(struct cp_run *, struct cp_report *);
/*
 * Writes host, start, length, event and flaws as one line, for pictures. Call
 * it after finish(), which may have changed the event shown.
 */
void cp_run_label_line(struct cp_run *, struct cp_report *);
/*
 * Adds the origins of run `from', which was read, to those of `all', whose
 * clock is `by' ns later.
 */
void cp_run_origins_move(struct cp_run *all, struct cp_run *from, uint64_t by);

/*
 * Notes the time that "+seconds" count from if the capture does not say it:
 * that of the first sample or switch.
 */
static inline void
cp_run_starts(struct cp_run *run, uint64_t time)
{
	if (CP_LIKELY(run->started) || time == CP_NO_TIME)
		return;
	run->started = true;
	run->start = time;
}

/* origins.c: the captures that a run is about. */
/*
 * Adds an origin to a run over several captures.  Values that all origins share
 * become the run's own.
 */
void cp_run_origin_add(struct cp_run *, const struct cp_report_origin *);
/* Finds what --time chooses of each, by its own clock. */
void cp_run_origins_windows(struct cp_run *);
/* Takes over the clock of the one origin, if it has the time of day. */
void cp_run_origins_clock(struct cp_run *);
/* Names their hosts and kernels, where they are several. */
/*
 * Adds what the readers said of damage in the capture: each diagnostic ends
 * with "|".
 */
void cp_run_damage(const struct cp_run *, struct cp_buf *);
/*
 * Keeps with the last origin that weights did not fit into the sum of all:
 * what was said of it since there were `before` such messages.
 */
void cp_run_origin_outweighs(struct cp_run *, uint64_t before);
/* Says it again, of an origin that a snapshot tells of. */
void cp_run_damage_again(struct cp_run *, const struct cp_report_origin *);
/* Returns the messages about damage with their numbers alone. */
const char *cp_run_damage_places(struct cp_run *, const char *damage);
void cp_run_origins_label(const struct cp_run *, struct cp_report *);
size_t cp_run_origins_hosts(const struct cp_run *);
/* Adds a table of the origins if there are several. */
void cp_run_origins_show(const struct cp_run *, struct cp_report *);

/* Makes tables that analyses fill wrongly diagnostics of the run. */
void cp_run_hear_slips(struct cp_run *, struct cp_report *);

/* event-name.c: finds events by the names that users type. */

struct cp_run;

/*
 * Answers the choice for all events of the capture.  A word means the event of
 * exactly that name; failing that, one of that bare name or alias; then a
 * tracepoint without its system; then the only event that begins so.
 */
void cp_events_choose(const struct cp_run *, struct cp_choice *);

/* formats.c: chooses the layouts of tracepoints for a capture that lacks them.
 */

/*
 * Finds layouts for the tracepoints of an opened capture that has none: a
 * killed recorder does not write them.
 */
int cp_run_formats(struct cp_run *, const char *path) CP_MUST_USE;

#endif
