/* SPDX-License-Identifier: MIT */
/*
 * symbolize/demangle/demangle.h: turns mangled names into readable ones.
 *
 * C++ (Itanium), Rust (both manglings) and D by libiberty; OCaml and Java; Go's
 * names get a short form.  Input and output are bounded, because a mangled name
 * can describe a text of any length.
 *
 * This room turns one name into another, and knows neither files nor addresses.
 * It may use base/ only.  Begin in demangle.c, which calls one file per
 * language.
 */
#ifndef CP_SYMBOLIZE_DEMANGLE_DEMANGLE_H
#define CP_SYMBOLIZE_DEMANGLE_DEMANGLE_H

#include "base/base.h"

enum cp_demangle {
	CP_DEMANGLE_NO,
	CP_DEMANGLE_SIMPLE, /* no parameters, no template arguments */
	CP_DEMANGLE_FULL,   /* as perf: libiberty's DMGL_NO_OPTS, that is with
			       template arguments and without parameters */
};

/* Returns the malloc'ed name; NULL if it is not mangled or needs no change. */
char *cp_demangle(const char *raw, enum cp_demangle);
/* Returns the name of C++ with its parameters, malloc'ed; NULL: none. */
char *cp_demangle_signature(const char *raw);
/*
 * overload.c: hashes the name and the parameters of a mangled name of C++.
 * False: it has template arguments, or is none.
 */
bool cp_overload_parts(const char *raw, uint64_t *name, uint64_t *parameters);

#endif
