/* SPDX-License-Identifier: MIT */
#include "base/archive/libarchive.h"

#include <pthread.h>

#include "base/library.h"

#define SONAME "libarchive.so.13"

static struct cp_libarchive calls;
static bool usable;

static void
load(void)
{
#define X(call) CP_LIBRARY_CALL(call, cp_libarchive, call),
	static const struct cp_library_call list[] = { CP_ARCHIVE_CALLS(X) };
#undef X

	usable = cp_library_load(SONAME, list, CP_ARRAY_LEN(list), &calls);
}

const struct cp_libarchive *
cp_libarchive(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
