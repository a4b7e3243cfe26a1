/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include "base/mem.h"

struct cp_pool {
	pthread_mutex_t lock;
	pthread_cond_t added, done;
	struct cp_work *first, **last; /* that nobody has begun */
	pthread_t thread[CP_MAX_WORKERS];
	unsigned threads, started;
	unsigned idle, queued;
	bool over;
};

struct cp_pool *
cp_pool_new(unsigned threads)
{
	struct cp_pool *p = cp_xcalloc(1, sizeof(*p));

	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->added, NULL);
	pthread_cond_init(&p->done, NULL);
	p->last = &p->first;
	p->threads = CP_MIN(threads, CP_MAX_WORKERS);
	return p;
}

/* Takes and does the oldest; called, and returns, with the lock held. */
static void
do_one(struct cp_pool *p, unsigned worker)
{
	struct cp_work *w = p->first;

	p->first = w->next;
	p->queued--;
	if (p->first == NULL)
		p->last = &p->first;
	w->state = CP_WORK_RUNS;
	pthread_mutex_unlock(&p->lock);
	w->run(w, worker);
	pthread_mutex_lock(&p->lock);
	w->state = CP_WORK_DONE;
}

struct start {
	struct cp_pool *pool;
	unsigned worker;
};

static void *
work(void *arg)
{
	struct start s = *(struct start *)arg;
	struct cp_pool *p = s.pool;

	free(arg);
	pthread_mutex_lock(&p->lock);
	while (!p->over) {
		if (p->first == NULL) {
			p->idle++;
			pthread_cond_wait(&p->added, &p->lock);
			p->idle--;
			continue;
		}
		do_one(p, s.worker);
		pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* If there can be no more threads, those that are there have to do. */
static void
start_one(struct cp_pool *p)
{
	struct start *s = cp_xmalloc(sizeof(*s));

	*s = (struct start){ p, p->started + 1 };
	if (pthread_create(&p->thread[p->started], NULL, work, s) == 0) {
		p->started++;
	} else {
		p->threads = p->started;
		free(s);
	}
}

void
cp_pool_add(struct cp_pool *p, struct cp_work *w)
{
	pthread_mutex_lock(&p->lock);
	w->state = CP_WORK_QUEUED;
	w->next = NULL;
	*p->last = w;
	p->last = &w->next;
	if (++p->queued > p->idle && p->started < p->threads)
		start_one(p);
	else if (p->idle != 0)
		pthread_cond_signal(&p->added);
	pthread_mutex_unlock(&p->lock);
}

void
cp_pool_wait(struct cp_pool *p, struct cp_work *w)
{
	pthread_mutex_lock(&p->lock);
	while (w->state == CP_WORK_QUEUED || w->state == CP_WORK_RUNS)
		if (p->first != NULL)
			do_one(p, 0);
		else
			pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void
cp_pool_free(struct cp_pool *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->added);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->thread[i], NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->added);
	pthread_cond_destroy(&p->done);
	free(p);
}

void
cp_sharing_much(struct cp_sharing *s)
{
	const size_t n = CP_MIN(s->n, CP_MAX_WORKERS);

	if (s->much)
		return;
	s->much = true; /* before there is another to look at it */
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
	s->n = 0; /* it is too late for others */
}

void
cp_pool_share(size_t n, void *(*run)(void *), void *ctx)
{
	struct cp_sharing s = { .n = n, .run = run, .ctx = ctx };

	cp_sharing_much(&s);
	cp_sharing_do(&s);
}
