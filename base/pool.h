/* SPDX-License-Identifier: MIT */
/*
 * base/pool.h: threads that work beside the one that owns them.
 *
 * One owner adds work and waits for it; first in, first out.  Threads start
 * when there is work that no other is free for.  The owner does not stand
 * idle: while it waits it does what nobody has begun.
 */
#ifndef CP_BASE_POOL_H
#define CP_BASE_POOL_H

#include <pthread.h>

#include "base/base.h"
#include "base/limits.h"

enum cp_work_state { CP_WORK_NONE, CP_WORK_QUEUED, CP_WORK_RUNS, CP_WORK_DONE };

/* Part of what the work is about; worker 0 is the owner. */
struct cp_work {
	void (*run)(struct cp_work *, unsigned worker);
	struct cp_work *next;
	enum cp_work_state state;
};

struct cp_pool;

/* threads: at the most, beside the owner. */
struct cp_pool *cp_pool_new(unsigned threads);
void cp_pool_add(struct cp_pool *, struct cp_work *);
/* Until it is done; at once if it was never added. */
void cp_pool_wait(struct cp_pool *, struct cp_work *);
/* What runs is finished, what was not begun never is. */
void cp_pool_free(struct cp_pool *);

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
