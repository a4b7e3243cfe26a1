/* SPDX-License-Identifier: MIT */
/*
 * symbolize/demangle/demangle.h: names as people wrote them.
 *
 * C++ (Itanium), Rust (both manglings) and D, by libiberty; OCaml, Java; of
 * Go's names the short form.  Input and output are bounded: a mangled name can
 * describe a text of any length.
 *
 * This room turns one name into another, and knows neither files nor
 * addresses.  It may use base/ only.  Begin in demangle.c, which asks one file
 * per language.
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

/* The name, malloc'ed; NULL if it is not mangled or not to be changed. */
char *cp_demangle(const char *raw, enum cp_demangle);

#endif
