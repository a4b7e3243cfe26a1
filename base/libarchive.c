/* SPDX-License-Identifier: MIT */
/* Loads libarchive, once. */
#include "base/libarchive.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/base.h"

#define SONAME "libarchive.so.13"

static struct cp_libarchive calls;
static bool usable;

static bool
find(void *lib, const char *name, void *call, size_t size)
{
	void *p = dlsym(lib, name);

	memcpy(call, &p, size);
	return p != NULL;
}

static void
load(void)
{
	void *lib = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	usable = lib != NULL;
#define X(call)                                                                \
	usable = usable && find(lib, #call, &calls.call, sizeof(calls.call));
	CP_ARCHIVE_CALLS(X)
#undef X
}

const struct cp_libarchive *
cp_libarchive(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
