/* SPDX-License-Identifier: MIT */
#include "symbolize/opinion/libdw.h"

#include <pthread.h>

#include "base/library.h"

static struct cp_libdw calls;
static bool usable;

static void
load(void)
{
#define X(call) { #call, offsetof(struct cp_libdw, call), sizeof(calls.call) },
	static const struct cp_library_call list[] = { CP_LIBDW_CALLS(X) };
#undef X

	usable =
	    cp_library_load("libdw.so.1", list, CP_ARRAY_LEN(list), &calls);
}

const struct cp_libdw *
cp_libdw(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
