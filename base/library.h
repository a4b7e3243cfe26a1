/* SPDX-License-Identifier: MIT */
/*
 * base/library.h: loads a library when it is first needed.
 *
 * Most runs need none of them.  `coldperf version` takes 1.4 ms; linked to
 * libarchive it would take 3.0 ms, linked to Capstone 2.8 ms.
 */
#ifndef CP_BASE_LIBRARY_H
#define CP_BASE_LIBRARY_H

#include "base/base.h"

/* Stores a function's address in call, a function pointer of size bytes. */
bool cp_library_find(void *library, const char *name, void *call, size_t size);

struct cp_library_call {
	const char *name;
	/* offset and size of the pointer in the table of calls */
	size_t at, size;
};

/* Fills calls.  False if the library or one of its functions is missing. */
bool cp_library_load(const char *soname, const struct cp_library_call *list,
    size_t n, void *calls);

#endif
