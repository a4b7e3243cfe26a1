/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/options.h: the user's options for symbolizing.
 */
#ifndef CP_SYMBOLIZE_OBJECT_OPTIONS_H
#define CP_SYMBOLIZE_OBJECT_OPTIONS_H

#include "symbolize/demangle/demangle.h"

enum cp_debuginfod_use {
	CP_DEBUGINFOD_OFF,
	CP_DEBUGINFOD_CACHED, /* only the cache on this machine */
	CP_DEBUGINFOD_ON,     /* also ask servers */
};

struct cp_dsos;
struct cp_info;
struct cp_script_names;

struct cp_symbolize_options {
	const char *const *paths; /* --symbols */
	size_t n_paths;
	/* NULL: $PERF_BUILDID_DIR or ~/.debug. "": no cache. */
	const char *cache_dir;
	enum cp_demangle demangle;
	bool parameters;    /* tell functions of one name apart */
	const char *beside; /* the capture's folder, or NULL */
	/* the capture, whose neighbouring bundles are used; or NULL */
	const char *capture;
	bool bundle; /* the capture itself is a bundle */
	/* descriptor of the snapshot that the capture is; 0: none */
	int snapshot;
	/* search all places again, use a snapshot's names last */
	bool again;
	/* accept a file of another build if no other is found */
	bool allow_mismatch;
	enum cp_debuginfod_use debuginfod;
	const struct cp_info *info; /* with the names that simpleperf wrote */
	const struct cp_dsos *dsos; /* the capture's objects; or NULL */
	const struct cp_script_names *script; /* or NULL */
	/* may open the recorded paths on this machine */
	bool recorded_paths;
	/*
	 * Returns the recorded name for a pseudonym; the callback may be NULL.
	 */
	const char *(*recorded)(const void *ctx, const char *name);
	const void *recorded_ctx;
	/* may use /proc/kallsyms if its build ID is right */
	bool running_kernel;
	bool no_inline_cache; /* neither read nor write ~/.cache/coldperf */
	unsigned jobs;
	/* start all threads at once, not only for large work */
	bool jobs_at_once;
};

#endif
