/* SPDX-License-Identifier: MIT */
/*
 * base/match/pattern.h: the patterns by which users choose names.
 *
 * /text/ is an extended regular expression that may match any part of the name.
 * A word with * or ? is a glob that matches the whole name, unless each * is
 * where names have one: operator*, f(char*), p.(*T).f, JS:*f.  Any other word
 * is a name, as it is or as outputs show it: a newline is also \x0a.  [ has no
 * special meaning, because objects have names like [kernel.kallsyms].  A name
 * that a table cut fits what it can have been, and a pool of threads that it
 * shows, worker/0…63, fits its members.
 */
#ifndef CP_BASE_MATCH_PATTERN_H
#define CP_BASE_MATCH_PATTERN_H

#include <regex.h>

#include "base/buf.h"

struct cp_pattern {
	const char *text; /* the caller's, as it was typed */
	enum {
		CP_PATTERN_NAME,
		CP_PATTERN_GLOB,
		CP_PATTERN_RANGE,
		CP_PATTERN_REGEX
	} kind;
	regex_t regex;
	char *glob; /* NULL: the text is the glob */
};

/* Returns CP_FAIL if regcomp() refuses the regular expression. */
int cp_pattern_init(struct cp_pattern *, const char *text) CP_MUST_USE;
void cp_pattern_free(struct cp_pattern *);

/* True if the pattern matches the name. */
bool cp_pattern_fits(const struct cp_pattern *, const char *name);

/*
 * symbol.c: true if it matches the name of a function: whole, as it is shown,
 * without template arguments, parameters and suffixes of clones, or the last
 * components of one of these.  Inlined instances match as others do; a pattern
 * that ends in " (inlined)" matches them alone.
 */
bool cp_pattern_fits_symbol(const struct cp_pattern *, const char *name);

/*
 * Writes the name without return type, template arguments, parameters and
 * " (inlined)": "void ns::sort<int>(int*, int*)" becomes "ns::sort".
 */
void cp_symbol_bare(struct cp_buf *, const char *name);

#endif
