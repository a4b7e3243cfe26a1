/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/inlines.h: the functions inlined at an address, and its
 * line.
 *
 * This room asks debug information in batches, and keeps what it answered on
 * disk.  It may use object/, symbolizers/, dwarf/, golang/, file-index/, elf/
 * and demangle/.  Begin in inlines.c, cp_symbols_inlines().
 */
#ifndef CP_SYMBOLIZE_INLINES_INLINES_H
#define CP_SYMBOLIZE_INLINES_INLINES_H

#include "model/dso.h"

struct cp_elf;
struct cp_object;
struct cp_symbols;

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

/*
 * The files that the object's debug information was split into, which live as
 * others do, and the paths of those that were not found (elf is NULL); a
 * package has no path.  For bundles, not for two threads at once.
 */
void cp_symbols_splits(struct cp_symbols *, const struct cp_dso_info *,
    void (*each)(void *ctx, const char *path, const struct cp_elf *elf),
    void *ctx);
/* With the reader of its debug information. */
void cp_object_inlines_free(struct cp_object *);

#endif
