/* SPDX-License-Identifier: MIT */
/*
 * symbolize/demangle/demangle.h: names as people wrote them.
 *
 * C++ (Itanium), Rust (both manglings) and D, by libiberty; OCaml, Java; of
 * Go's names the short form.  Input and output are bounded: a mangled name can
 * describe a text of any length.
 */
#ifndef CP_SYMBOLIZE_DEMANGLE_DEMANGLE_H
#define CP_SYMBOLIZE_DEMANGLE_DEMANGLE_H

#include "symbolize/symbolize.h"

/* The name, malloc'ed; NULL if it is not mangled or not to be changed. */
char *cp_demangle(const char *raw, enum cp_demangle);

#endif
