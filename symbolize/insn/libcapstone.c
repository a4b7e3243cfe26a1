/* SPDX-License-Identifier: MIT */
#include "symbolize/insn/libcapstone.h"

#include <pthread.h>

#include "base/library.h"

static struct cp_libcapstone calls;
static bool usable;

static void
load(void)
{
#define X(call)                                                                \
	{ #call, offsetof(struct cp_libcapstone, call), sizeof(calls.call) },
	static const struct cp_library_call list[] = { CP_CAPSTONE_CALLS(X) };
#undef X

	usable = cp_library_load(
	    CP_CAPSTONE_SONAME, list, CP_ARRAY_LEN(list), &calls);
}

const struct cp_libcapstone *
cp_libcapstone(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
