/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolize.h: (object, address) -> name, through a chain of
 * symbolizers.
 *
 * For each object the symbolizers of list.def are asked in order; the first
 * that accepts it answers for all its addresses.  A file is used only if its
 * build ID equals the recorded one, or if one of the two has none, and then
 * the names are marked CP_TRUST_ABSENT.  Results are the same whatever the
 * number of workers.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZE_H
#define CP_SYMBOLIZE_SYMBOLIZE_H

#include "base/diag.h"
#include "base/mem.h"
#include "model/dso.h"
#include "symbolize/demangle/demangle.h"

enum cp_debuginfod_use {
	CP_DEBUGINFOD_OFF,
	CP_DEBUGINFOD_CACHED, /* what is on this machine's disk */
	CP_DEBUGINFOD_ON,     /* servers too */
};

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
	bool recorded_paths;  /* may open the path that was recorded */
	bool running_kernel;  /* may use /proc/kallsyms if build IDs match */
	bool no_inline_cache; /* neither read nor write ~/.cache/coldperf */
	unsigned jobs;
	bool jobs_at_once; /* not only when there turns out to be much to do */
};

struct cp_symbols;

struct cp_symbols *cp_symbols_new(const struct cp_symbolize_options *,
    const struct cp_strings *, struct cp_diags *);
void cp_symbols_free(struct cp_symbols *);

/*
 * Modules are named by the kernel that was met first, as are those of each
 * virtual machine.  A request meets its own objects.
 */
void cp_symbols_meet(struct cp_symbols *, const struct cp_dso_info *);

/*
 * Names of n ascending addresses of one object; out[i] is NULL where there
 * is none.  Not for two threads at once.
 */
void cp_symbols_names(struct cp_symbols *, const struct cp_dso_info *,
    const uint64_t *addr, size_t n, const struct cp_symbol **out);

/* One request of a batch over many objects, done by the workers. */
struct cp_names {
	const struct cp_dso_info *dso;
	const uint64_t *addr; /* ascending */
	size_t n;
	const struct cp_symbol **out;
};
void cp_symbols_batch(struct cp_symbols *, struct cp_names *, size_t n);

/* What is at one address: the function itself and those inlined into it. */
struct cp_spots {
	const struct cp_spot *at; /* outermost first */
	uint32_t n;               /* 0: not known */
};
/* What the names of inlined functions end with, as in perf. */
#define CP_INLINED " (inlined)"
/* The like for inlined functions and lines; any order of addresses. */
struct cp_inlines {
	const struct cp_dso_info *dso;
	const uint64_t *addr;
	size_t n;
	struct cp_spots *out;
	/* Past the cache on disk, which has no sums of source files. */
	bool fresh;
};
/* last: memory is given back, further questions are not expected. */
void cp_symbols_inlines(
    struct cp_symbols *, struct cp_inlines *, size_t n, bool last);

/*
 * The MD5 of a source file as the debug information of an object has it; false
 * if it has none, or the file is not one of a fresh answer.
 */
bool cp_symbols_source_md5(struct cp_symbols *, const struct cp_dso_info *,
    const char *file, uint8_t md5[16]);

/* What the chain found for an object; for `info` and `quality`. */
struct cp_object_state {
	const char *symbolizer; /* NULL: none accepted */
	const char *path;       /* of the file used, or NULL */
	enum cp_source source;
	enum cp_trust trust;
	size_t symbols;
	bool mismatch; /* a file of another build was found, not used */
	bool damaged;  /* a file was found that is no object, or cut */
};
struct cp_object_state cp_symbols_state(
    struct cp_symbols *, const struct cp_dso_info *);

#endif
