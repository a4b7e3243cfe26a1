/* SPDX-License-Identifier: MIT */
/*
 * base/library.h: loads a library when it is first needed.
 *
 * Most runs need none of them.  `coldperf version` takes 1.4 ms; linked to
 * libarchive it would take 3.0 ms, linked to Capstone 2.8 ms.
 *
 * A static program (./configure --enable-static) has the libraries in itself
 * and loads nothing: a list of calls has their addresses.
 */
#ifndef CP_BASE_LIBRARY_H
#define CP_BASE_LIBRARY_H

#include "base/base.h"

typedef void cp_library_function(void);

struct cp_library_call {
	const char *name;
	/* offset and size of the pointer in the table of calls */
	size_t at, size;
	cp_library_function *linked; /* NULL: to be found by its name */
};

#ifdef CP_STATIC
#define CP_LIBRARY_LINKED(function) (cp_library_function *)function
#define CP_LIBRARY_MISSING(library)                                            \
	"this static coldperf has no " library ": a coldperf from a package "  \
	"or from source has"
#else
#define CP_LIBRARY_LINKED(function) NULL
#define CP_LIBRARY_MISSING(library) library " is not installed"
#endif

/* A row of a list: the function and its pointer, a member of struct table. */
#define CP_LIBRARY_CALL(function, table, member)                               \
	{                                                                      \
#function, offsetof(struct table, member),                     \
		    sizeof(((struct table *)0)->member),                       \
		    CP_LIBRARY_LINKED(function)                                \
	}

/* Returns a handle; NULL: it cannot be loaded, and dlerror() says why. */
void *cp_library_open(const char *path);

/* Stores a function's address in call, a function pointer of size bytes. */
bool cp_library_find(void *library, const char *name, void *call, size_t size);

/* Fills calls.  False if the library or one of its functions is missing. */
bool cp_library_load(const char *soname, const struct cp_library_call *list,
    size_t n, void *calls);

#endif
