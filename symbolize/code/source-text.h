/* SPDX-License-Identifier: MIT */
/*
 * symbolize/code/source-text.h: the text of source files that debug information
 * names.
 *
 * Looked for in the index of --symbols and bundles by the longest common end
 * of the path; at the recorded path; in debuginfod's cache, or its servers if
 * they may be asked.  Where DWARF has the MD5 of the file it decides.  Where
 * it has not, a text may be of another version, and that is said.
 */
#ifndef CP_SYMBOLIZE_CODE_SOURCE_TEXT_H
#define CP_SYMBOLIZE_CODE_SOURCE_TEXT_H

#include "model/dso.h"

struct cp_symbols;

struct cp_srcfile {
	const char *file;  /* as debug information has it */
	const char *path;  /* where its text is from; NULL: not found */
	const char *check; /* what is known of its version; or why not found */
	enum cp_source source;
	enum cp_trust trust;
	const char *const *line; /* [0] is line 1 */
	uint32_t lines;
};

/*
 * Of a file that an answer to cp_symbols_inlines() had; file must be that very
 * pointer.  Never NULL; lives as long as the symbols.
 */
const struct cp_srcfile *cp_symbols_source(
    struct cp_symbols *, const struct cp_dso_info *, const char *file);

/* What was found so far; for whoever frees the symbols. */
struct cp_sources;
void cp_sources_free(struct cp_sources *);

#endif
