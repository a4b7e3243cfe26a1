/* SPDX-License-Identifier: MIT */
/*
 * coldperf/analysis.h: the table that an analysis is.
 */
#ifndef COLDPERF_ANALYSIS_H
#define COLDPERF_ANALYSIS_H

#include <coldperf/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	CP_WANT_SAMPLES = 1,
	CP_WANT_STACKS = 2, /* else cp_sample.stack holds the ip only */
	CP_WANT_NAMES = 4,
	CP_WANT_RAW = 8,  /* cp_sample.raw, latency, data_src, branches ... */
	CP_WANT_ALL = 16, /* also samples that the filters leave out */
	CP_WANT_OVERVIEW = 32, /* is part of `coldperf report` */
	CP_WANT_NO_STACK = 64, /* cp_sample.stack may be 0: saves time */
	CP_WANT_SPOTS = 128,   /* inlined functions and lines of named frames */
	/*
	 * Several captures may be given, which the analysis sees as one:
	 * samples come one capture after the other, with one clock and without
	 * side-band records.
	 */
	CP_WANT_MERGED = 256,
	CP_WANT_BITS = 511, /* all of these */
};

/*
 * An option of an analysis.  One that is named "function" may also be given as
 * the word after the capture.
 */
struct cp_option {
	const char *name;     /* long option, without dashes */
	const char *arg;      /* name of its argument, NULL: a switch */
	const char *fallback; /* default value, NULL: unset */
	const char *help;
};

struct cp_analysis {
	uint32_t abi;        /* CP_ABI */
	const char *name;    /* the command: coldperf NAME */
	const char *summary; /* one line, lower case, no full stop */
	uint32_t wants;
	const struct cp_option *options; /* ends with a NULL name; or NULL */
	size_t state_size; /* zeroed memory handed to every callback */
	int (*begin)(struct cp_run *, void *state);
	int (*sample)(struct cp_run *, void *state, const struct cp_sample *);
	/* Side-band records, in order with the samples; never filtered. */
	int (*event)(struct cp_run *, void *state, const struct cp_sideband *);
	int (*finish)(struct cp_run *, void *state, struct cp_report *);
	/*
	 * Number of captures that the analysis takes; 0: one.  With several,
	 * capture() is called at the end of each (index from 0); it can ask for
	 * names as finish() can.  Strings, symbols, ids and fields of the
	 * capture are invalid after it; tallies, the state and memory of
	 * cp_run_alloc() live on.  finish() is called once, at the end.
	 */
	uint32_t captures;
	int (*capture)(struct cp_run *, void *state, uint32_t index);
};

/* A plug-in defines exactly one of these; built-ins are in list.def. */
#ifdef CP_BUILT_IN
#define CP_ANALYSIS_DEFINE(id) const struct cp_analysis cp_analysis_##id
#else
#define CP_ANALYSIS_DEFINE(id)                                                 \
	CP_API extern const struct cp_analysis cp_plugin;                      \
	const struct cp_analysis cp_plugin
#endif

#ifdef __cplusplus
}
#endif

#endif
