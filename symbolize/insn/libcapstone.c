/* SPDX-License-Identifier: MIT */
#include "symbolize/insn/libcapstone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "base/mem.h"

static struct cp_libcapstone calls;
static bool usable;

static void *
again(void *p, size_t n)
{
	return cp_xrealloc(p, n, 1);
}

static void
load(void)
{
#define X(call) CP_LIBRARY_CALL(call, cp_libcapstone, call),
	static const struct cp_library_call list[] = { CP_CAPSTONE_CALLS(X) };
#undef X

	usable = cp_library_load(
	    CP_CAPSTONE_SONAME, list, CP_ARRAY_LEN(list), &calls);
	if (usable) {
		/*
		 * Capstone writes to what it got, even if there was no memory.
		 */
		cs_opt_mem own = { cp_xmalloc, cp_xcalloc, again, free,
			vsnprintf };

		calls.cs_option(0, CS_OPT_MEM, (size_t)&own);
	}
}

const struct cp_libcapstone *
cp_libcapstone(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable ? &calls : NULL;
}
