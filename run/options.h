/* SPDX-License-Identifier: MIT */
/*
 * run/options.h: the options of a run.  Texts belong to the caller and outlive
 * the run.
 */
#ifndef CP_RUN_OPTIONS_H
#define CP_RUN_OPTIONS_H

#include <coldperf/samples.h>

#include "base/vec.h"
#include "symbolize/symbolize.h"

struct cp_redact;

enum cp_weight {
	CP_WEIGHT_PERIOD,
	CP_WEIGHT_SAMPLES,
	CP_WEIGHT_TIME,
	CP_WEIGHT_LATENCY, /* period / threads that ran at once */
	CP_WEIGHT_FIELD,   /* of the payload's field weight_field */
};
enum cp_callchain { CP_CHAIN_AUTO, CP_CHAIN_FP, CP_CHAIN_DWARF, CP_CHAIN_LBR };
/* Where a chain lacks a caller; AUTO: marked, but not in chains as recorded. */
enum cp_lost_callers { CP_LOST_AUTO, CP_LOST_MARK, CP_LOST_HIDE };
enum cp_inline { CP_INLINE_AUTO, CP_INLINE_NO, CP_INLINE_YES };

typedef CP_VEC(const char *) cp_words;

/* An option of an analysis with its value. */
struct cp_given {
	const char *name, *value;
	size_t at; /* number of captures named before it on the command line */
};

struct cp_run_options {
	/* The first capture: files are also searched for in its folder. */
	const char *capture;
	/* The analysis that `given` belongs to. */
	const char *analysis;
	CP_VEC(struct cp_given) given;
	/* Filters; an empty list passes everything. */
	cp_words events, comms, pids, tids, cpus, dsos, names, focus, cgroups;
	cp_words payloads; /* of --filter, each an expression */
	cp_words times;    /* windows, or several in one value */
	const char *time;  /* only this of them, for a capture; or NULL */
	const char *clock_offset; /* or NULL */
	enum cp_weight weight;
	const char *weight_field;
	enum cp_callchain callchain;
	enum cp_lost_callers lost_callers;
	bool stitch_lbr, stack_scan;
	unsigned max_stack; /* frames; 0: all */
	/* Where names come from. */
	cp_words symbols;
	cp_words formats; /* layouts of tracepoints: files, folders */
	const char *cache;
	enum cp_demangle demangle;
	enum cp_debuginfod_use debuginfod;
	enum cp_inline inlines;
	bool recorded_paths, allow_mismatch;
	bool again; /* snapshot --resymbolize */
	bool no_cache;
	double code_share; /* see cp_run_code_share() */
	double tree_share; /* see cp_run_tree_share() */
	bool labels;       /* see cp_run_sample_labels() */
	bool tables;       /* a snapshot without records is accepted */
	unsigned jobs;
	bool jobs_asked; /* the user gave --jobs */
	/* Data to remove from the capture before it is read; NULL: none. */
	struct cp_redact *redact;
	/* Called from time to time while the capture is read; may be NULL. */
	void (*progress)(void *ctx, const struct cp_quality *);
	void *progress_ctx;
};

#endif
