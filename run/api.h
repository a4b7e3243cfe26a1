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

#include "report/report.h"
#include "base/tally.h"
#include "run/filter.h"
#include "run/options.h"
#include "model/session.h"
#include "readers/reader.h"

/* One analysis of a run. */
struct cp_task {
	const struct cp_analysis *analysis;
	void *state;
	uint32_t wants;
};

/* weight.c: what --weight field:NAME found. */
struct cp_weighing {
	CP_VEC(bool) looked; /* by event: whether field was looked up */
	CP_VEC(const struct cp_field *) field;
	uint64_t found, absent, negative; /* samples */
};

struct cp_run {
	const struct cp_run_options *options;
	struct cp_diags *diags;
	struct cp_capture capture;
	struct cp_recording rec;
	struct cp_session session;
	struct cp_order order;
	struct cp_event reread; /* a sample, once more */
	struct cp_quality quality;
	struct cp_filter filter;
	struct cp_symbols *symbols;
	struct cp_unwinder *unwinder; /* made when first needed */
	struct cp_arena arena;
	CP_VEC(struct cp_task) tasks;
	struct cp_task *current;       /* whose callback runs */
	const struct cp_queued *at;    /* the event at hand */
	bool want_sideband, want_all;  /* a task does */
	CP_VEC(uint64_t) kept;         /* samples that passed, by event */
	CP_VEC(cp_stack_id) cut_stack; /* by stack; 0: not cut yet */
	CP_VEC(cp_frame_id) innermost; /* of the stack being cut */
	CP_VEC(struct cp_pattern *) patterns; /* of options */
	bool switches;   /* side-band records of them came */
	bool started;    /* a sample or switch came ... */
	uint64_t start;  /* ... the first of them then */
	uint32_t missed; /* captures that a filter leaves empty */
	struct cp_weighing weighing;
	CP_VEC(struct cp_tally *) tallies;
	CP_VEC(struct cp_fact) facts;
	bool facts_made;
	/* Names by frame id; a frame is asked for once. */
	CP_VEC(const struct cp_symbol *) symbol;
	CP_VEC(uint8_t) named;
	/* inlining.c: by frame id, and expanded stacks by stack id. */
	CP_VEC(struct cp_spots) spots;
	CP_VEC(cp_stack_id) inlined;
	struct cp_map64 placed; /* frame -> first one of its spots */
	size_t code_bytes;      /* that listing.c disassembled */
	/* Commands that are no analyses see every sample kept here. */
	int (*tap)(void *ctx, struct cp_run *, const struct cp_queued *,
	    const struct cp_sample *);
	void *tap_ctx;
	bool tap_uncounted; /* samples, too, that no counter grew for */
};

/* run.c: opens the capture; CP_FAIL after a diagnostic. */
int cp_run_open(struct cp_run *, const struct cp_run_options *,
    struct cp_diags *, const char *path) CP_MUST_USE;
/* The same for the next of several captures; what tasks have stays. */
int cp_run_next(struct cp_run *, const char *path) CP_MUST_USE;
/* Tells the tasks that one of several captures was read. */
int cp_run_captured(struct cp_run *, uint32_t index) CP_MUST_USE;
int cp_run_add(struct cp_run *, const struct cp_analysis *) CP_MUST_USE;
/* The pass: every event through order, session, filters and tasks. */
int cp_run_read(struct cp_run *);
/* max-stack.c: the stack without frames beyond --max-stack. */
cp_stack_id cp_run_max_stack(struct cp_run *, cp_stack_id);
/* Samples of the event that passed the filters so far. */
static inline uint64_t
cp_run_kept(const struct cp_run *run, uint32_t event)
{
	return event < run->kept.len ? run->kept.data[event] : 0;
}
/* kept-samples.c: whether the filters keep the sample. */
bool cp_filter_pass(struct cp_run *, const struct cp_sample *);
/* filter-check.c: tells of filters that fit nothing; after reading. */
void cp_filter_check(struct cp_run *);
/* weight.c: weighs a sample by a field; false: it cannot be. */
bool cp_run_weigh(struct cp_run *, struct cp_sample *);
void cp_run_weigh_end(struct cp_run *);
void cp_run_weigh_free(struct cp_run *);
/* sideband.c: hands a record that is no sample to the tasks. */
int cp_run_sideband(struct cp_run *, const struct cp_queued *) CP_MUST_USE;
/* Lets the tasks write their sections. */
int cp_run_finish(struct cp_run *, struct cp_report *) CP_MUST_USE;
void cp_run_close(struct cp_run *);

/* jitdump.c: finds and reads the jitdump that a process mapped. */
bool cp_run_jit_open(void *run, const char *recorded, uint32_t pid,
    uint64_t mapped, struct cp_jit *);

/* collect.c: how names are searched for. */
struct cp_symbolize_options cp_run_symbolize_options(struct cp_run *);
/* naming.c: the symbol of one frame at once, for filters and script. */
const struct cp_symbol *cp_run_symbol_now(struct cp_run *, cp_frame_id);

/* A frame that something is to be found out about. */
struct cp_asked {
	uint64_t addr;
	uint32_t dso;
	cp_frame_id frame;
};
typedef CP_VEC(struct cp_asked) cp_asked_vec;
/* Marks of cp_run.named: what a frame was asked for. */
enum { CP_NAMED = 1, CP_SPOTTED = 2 };

/* collect.c: room for every frame that there is by now. */
void cp_run_reserve_names(struct cp_run *);
/*
 * Collects the frames of these stacks that do not have the mark yet, sets it,
 * and sorts them by object and address.
 */
void cp_run_collect(struct cp_run *, const cp_stack_id *, size_t n,
    uint8_t mark, cp_asked_vec *);
/* The same of these frames. */
void cp_run_collect_frames(struct cp_run *, const cp_frame_id *, size_t n,
    uint8_t mark, cp_asked_vec *);

/* inlining.c: whether the current task wants to know what is inlined. */
bool cp_run_wants_spots(const struct cp_run *);
/* Finds that out for all frames of the stacks, in one batch. */
void cp_run_spot(struct cp_run *, const cp_stack_id *, size_t n);
/* The same of frames; last: more will not be asked. */
void cp_run_spot_frames(
    struct cp_run *, const cp_frame_id *, size_t n, bool last);
void cp_run_spots_free(struct cp_run *);

/* collect.c: what finds objects and names. */
struct cp_symbols *cp_run_symbols(struct cp_run *);

/* callchains.c: where chains come from, as asked; wanted: any at all. */
void cp_run_chains(struct cp_run *, bool wanted);
/* Frees the unwinder, which uses the session and the names. */
void cp_run_unwinder_free(struct cp_run *);

/* label.c: what every report opens with. */
void cp_run_label(struct cp_run *, struct cp_report *);
/*
 * Host, start, length, event and flaws in one line, for pictures; after
 * finish(), which may have said which event is shown.
 */
void cp_run_label_line(struct cp_run *, struct cp_report *);

/* Where "+seconds" count from, if the capture does not say: the first time. */
static inline void
cp_run_starts(struct cp_run *run, uint64_t time)
{
	if (CP_LIKELY(run->started) || time == CP_NO_TIME)
		return;
	run->started = true;
	run->start = time;
}

#endif
