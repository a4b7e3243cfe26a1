/* SPDX-License-Identifier: MIT */
/*
 * base/pool.h: work that several threads share out among themselves.
 */
#ifndef CP_BASE_POOL_H
#define CP_BASE_POOL_H

#include <pthread.h>

#include "base/base.h"
#include "base/limits.h"

/*
 * Work that its doers share out among themselves: in this thread and up to
 * n - 1 others, until all have returned.
 */
void cp_pool_share(size_t n, void *(*run)(void *), void *ctx);

/*
 * The same for what may be little: a thread costs a millisecond of CPU time.
 * The others start when run() says, as often as it likes, that it is much.
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
