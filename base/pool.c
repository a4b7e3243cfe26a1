/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

void
cp_sharing_much(struct cp_sharing *s)
{
	const size_t n = CP_MIN(s->n, CP_MAX_WORKERS);

	if (s->much)
		return;
	s->much = true; /* Set it before the threads start, which read it. */
	while (s->started + 1 < n && pthread_create(&s->thread[s->started],
					 NULL, s->run, s->ctx) == 0)
		s->started++;
}

void
cp_sharing_do(struct cp_sharing *s)
{
	s->run(s->ctx);
	while (s->started > 0)
		pthread_join(s->thread[--s->started], NULL);
	s->n = 0; /* Too late to start other threads. */
}

void
cp_pool_share(size_t n, void *(*run)(void *), void *ctx)
{
	struct cp_sharing s = { .n = n, .run = run, .ctx = ctx };

	cp_sharing_much(&s);
	cp_sharing_do(&s);
}
