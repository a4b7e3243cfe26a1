/* SPDX-License-Identifier: MIT */
/*
 * base/match/short-name.h: the short form of a function's name, and its parts.
 *
 * page/short.js makes the same short form.
 */
#ifndef CP_BASE_MATCH_SHORT_NAME_H
#define CP_BASE_MATCH_SHORT_NAME_H

#include "base/buf.h"

/* Stands after the name of a function that was inlined. */
#define CP_INLINED " (inlined)"

/*
 * The name without template arguments and parameters: std::map<int,
 * T>::operator[](int const&) -> std::map<…>::operator[] All names of
 * std::string become "std::string"; Java's class has no package; suffixes that
 * compilers add stay, but for numbers of a linker.
 */
void cp_short_name(struct cp_buf *, const char *name);

/*
 * Writes the name as tables have it: whole if it is not long, and has brackets
 * that tell what it is from what has the same short form; else short.
 */
void cp_brief_name(struct cp_buf *, const char *name);

/* Does the same with each name of a chain: "< a < b", "> a", "a < b". */
void cp_brief_calls(struct cp_buf *, const char *chain);

/*
 * Returns the text after the next separator outside brackets; NULL: none.
 * slash: only a slash counts.
 */
const char *cp_name_part(const char *, bool slash);
/* True if slashes come before all else: the path of a module or file. */
bool cp_name_has_path(const char *);
/*
 * Returns the last part of a short form: the function without its namespaces.
 */
const char *cp_name_tail(const char *brief);

#endif
