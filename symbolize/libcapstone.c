/* SPDX-License-Identifier: MIT */
/* Loads Capstone, once. */
#include "symbolize/libcapstone.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/base.h"

static struct cp_libcapstone calls;
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
	void *lib = dlopen(CP_CAPSTONE_SONAME, RTLD_NOW | RTLD_LOCAL);

	usable = lib != NULL;
#define X(call)                                                                \
	usable = usable && find(lib, #call, &calls.call, sizeof(calls.call));
	CP_CAPSTONE_CALLS(X)
#undef X
}

const struct cp_libcapstone *
cp_libcapstone(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
