/* SPDX-License-Identifier: MIT */
/*
 * symbolize/code/source-text.h: finds the source files that debug information
 * names.
 *
 * Looks in the index of --symbols and bundles by the longest common end of the
 * path; at the recorded path, if source-path.c lets the object name it; in
 * debuginfod's cache, or on its servers if that is allowed.  The MD5 that DWARF
 * may have decides.  Without an MD5 a text may be another version, which
 * `check` says.
 */
#ifndef CP_SYMBOLIZE_CODE_SOURCE_TEXT_H
#define CP_SYMBOLIZE_CODE_SOURCE_TEXT_H

#include "model/dso.h"

struct cp_symbols;

struct cp_srcfile {
	const char *file; /* path in the debug information */
	const char *path; /* where the text was found; NULL: not found */
	/* text on its version, or why it was not found */
	const char *check;
	enum cp_source source;
	enum cp_trust trust;
	const char *const *line; /* line[0] is line 1 */
	uint32_t lines;
	const char *text; /* as it was read */
	size_t size;
};

/*
 * Finds the text of a file.  `file` must be a pointer returned by
 * cp_symbols_inlines().  Never NULL; lives as long as the symbols.
 */
const struct cp_srcfile *cp_symbols_source(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

/* Source files found so far; freed with the symbols. */
struct cp_sources;
void cp_sources_free(struct cp_sources *);

/* source-path.c: source files of this machine, at the paths that debug
 * information names. */

struct cp_symbols;

/* A descriptor, or -1 if the object may not name it. */
int cp_source_open_local(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

#endif
