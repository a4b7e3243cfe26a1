/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <string.h>

#ifdef CP_STATIC

/* A static program that loads a library needs the very libc it was made of. */
void *
cp_library_open(const char *path)
{
	(void)path;
	return NULL;
}

bool
cp_library_find(void *library, const char *name, void *call, size_t size)
{
	(void)library;
	(void)name;
	memset(call, 0, size);
	return false;
}

bool
cp_library_load(const char *soname, const struct cp_library_call *list,
    size_t n, void *calls)
{
	bool all = true;

	(void)soname;
	for (size_t i = 0; i < n; i++) {
		memcpy(
		    (char *)calls + list[i].at, &list[i].linked, list[i].size);
		all = all && list[i].linked != NULL;
	}
	return all;
}

#else

#include <dlfcn.h>

#include "base/port.h"

void *
cp_library_open(const char *path)
{
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool
cp_library_find(void *library, const char *name, void *call, size_t size)
{
	void *p = dlsym(library, name);

	/*
	 * ISO C converts no data pointer to a function pointer; memcpy() does.
	 */
	memcpy(call, &p, size);
	return p != NULL;
}

bool
cp_library_load(const char *soname, const struct cp_library_call *list,
    size_t n, void *calls)
{
	void *library = NULL;
	const char *name;
	char buffer[128];
	bool all;

	for (unsigned i = 0;
	     library == NULL && (name = cp_port_library(soname, i, buffer,
				     sizeof(buffer))) != NULL;
	     i++)
		library = cp_library_open(name);
	all = library != NULL;

	for (size_t i = 0; all && i < n; i++)
		all = cp_library_find(library, list[i].name,
		    (char *)calls + list[i].at, list[i].size);
	return all;
}

#endif
