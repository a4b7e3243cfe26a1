/* SPDX-License-Identifier: MIT */
/*
 * base/pool.h: runs one function in several threads.
 */
#ifndef CP_BASE_POOL_H
#define CP_BASE_POOL_H

#include <pthread.h>

#include "base/base.h"
#include "base/limits.h"

/*
 * Calls run(ctx) in this thread and up to n - 1 others.  Returns when all of
 * them have returned.  The calls share the work by a counter in ctx.
 */
void cp_pool_share(size_t n, void *(*run)(void *), void *ctx);

/*
 * The same for work that may be small: starting a thread costs a millisecond of
 * CPU time.  run() starts in this thread; the others start when run() calls
 * cp_sharing_much(), which it may do often.
 */
struct cp_sharing {
	size_t n;
	void *(*run)(void *);
	void *ctx;
	bool much;
	size_t started;
	pthread_t thread[CP_MAX_WORKERS];
};
void cp_sharing_do(struct cp_sharing *);
void cp_sharing_much(struct cp_sharing *);

#endif
