/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/options.h: what the user lets symbolizers do.
 */
#ifndef CP_SYMBOLIZE_OBJECT_OPTIONS_H
#define CP_SYMBOLIZE_OBJECT_OPTIONS_H

#include "symbolize/demangle/demangle.h"

enum cp_debuginfod_use {
	CP_DEBUGINFOD_OFF,
	CP_DEBUGINFOD_CACHED, /* what is on this machine's disk */
	CP_DEBUGINFOD_ON,     /* servers too */
};

struct cp_info;

struct cp_symbolize_options {
	const char *const *paths; /* --symbols */
	size_t n_paths;
	/* NULL: $PERF_BUILDID_DIR or ~/.debug. "": no cache. */
	const char *cache_dir;
	enum cp_demangle demangle;
	const char *beside;  /* the capture's folder, or NULL */
	const char *capture; /* whose bundles beside it are used, or NULL */
	bool bundle;         /* it is one itself */
	bool allow_mismatch; /* a file of another build is better than none */
	enum cp_debuginfod_use debuginfod;
	const struct cp_info *info; /* with the names that simpleperf wrote */
	bool recorded_paths;        /* may open the path that was recorded */
	bool running_kernel;  /* may use /proc/kallsyms if build IDs match */
	bool no_inline_cache; /* neither read nor write ~/.cache/coldperf */
	unsigned jobs;
	bool jobs_at_once; /* not only when there turns out to be much to do */
};

#endif
