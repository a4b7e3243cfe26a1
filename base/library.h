/* SPDX-License-Identifier: MIT */
/*
 * base/library.h: a library that is loaded when it is first needed.
 *
 * Most runs do without.  `coldperf version` takes 1.4 ms; linked to libarchive
 * it would take 3.0 ms, linked to Capstone 2.8 ms.
 */
#ifndef CP_BASE_LIBRARY_H
#define CP_BASE_LIBRARY_H

#include "base/base.h"

/* Puts a function's address into call, a function pointer of size bytes. */
bool cp_library_find(void *library, const char *name, void *call, size_t size);

struct cp_library_call {
	const char *name;
	size_t at, size; /* of the pointer within the table of calls */
};

/* Fills calls; false: the library or one of its functions is missing. */
bool cp_library_load(const char *soname, const struct cp_library_call *list,
    size_t n, void *calls);

#endif
