/* SPDX-License-Identifier: MIT */
/*
 * base/match/pattern.h: what a user types to choose by name.
 *
 * A word is one of three: /text/ is an extended regular expression, looked
 * for anywhere in the name; a word with * or ? is a glob of the whole name;
 * every other word is a name.  [ is an ordinary character, for objects are
 * called [kernel.kallsyms].
 */
#ifndef CP_BASE_MATCH_PATTERN_H
#define CP_BASE_MATCH_PATTERN_H

#include <regex.h>

#include "base/base.h"

struct cp_pattern {
	const char *text; /* the caller's, as it was typed */
	enum { CP_PATTERN_NAME, CP_PATTERN_GLOB, CP_PATTERN_REGEX } kind;
	regex_t regex;
};

/* CP_FAIL: a regular expression that regcomp() refuses. */
int cp_pattern_init(struct cp_pattern *, const char *text) CP_MUST_USE;
void cp_pattern_free(struct cp_pattern *);

/* Whether the name as a whole fits. */
bool cp_pattern_fits(const struct cp_pattern *, const char *name);

/*
 * Writes the name without return type, template arguments and parameters:
 * "void ns::sort<int>(int*, int*)" is "ns::sort".  Cut to size.
 */
void cp_symbol_bare(const char *name, char *out, size_t size);

#endif
