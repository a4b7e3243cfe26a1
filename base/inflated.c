/* SPDX-License-Identifier: MIT */
#include "base/inflated.h"

#include <pthread.h>

#include "base/limits.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cp_inflated all;

static bool
is_within(uint64_t size, uint64_t from, uint64_t free)
{
	return size <= free || (size - free) / CP_INFLATE_RATIO < from;
}

bool
cp_inflated_claim(struct cp_inflated *c, uint64_t size)
{
	uint64_t from, sum;
	bool good;

	if (!is_within(size, c->from, CP_INFLATE_FREE))
		return false;
	pthread_mutex_lock(&lock);
	/* The compressed size counts once, with the first bytes of a claim. */
	from = all.from + (c->size == 0 ? c->from : 0);
	sum = all.size + (size - CP_MIN(size, c->size));
	good = is_within(sum, from, CP_INFLATE_FREE_ALL);
	if (good) {
		all = (struct cp_inflated){ from, sum };
		c->size = CP_MAX(size, c->size);
	}
	pthread_mutex_unlock(&lock);
	return good;
}

void
cp_inflated_release(struct cp_inflated *c)
{
	if (c->size == 0)
		return;
	pthread_mutex_lock(&lock);
	all.size -= c->size;
	all.from -= c->from;
	pthread_mutex_unlock(&lock);
	*c = (struct cp_inflated){ 0 };
}
