/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

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
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	bool all = library != NULL;

	for (size_t i = 0; all && i < n; i++)
		all = cp_library_find(library, list[i].name,
		    (char *)calls + list[i].at, list[i].size);
	return all;
}
