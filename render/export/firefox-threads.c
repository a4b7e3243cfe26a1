/* SPDX-License-Identifier: MIT */
/*
 * Firefox's profiler draws each thread, and becomes unusable with thousands.
 * Threads with the most samples stay, the others of an event are joined.
 */
#include "render/export/firefox-threads.h"

#include "base/hash.h"

enum { MAX_THREADS = 60 };

struct slots {
	const struct cp_profile *p;
	struct cp_map64 at; /* thread and event to slot + 1 */
	CP_VEC(struct cp_firefox_thread) all;
	uint32_t *slot; /* by sample */
};

static uint32_t
slot_of(struct slots *s, uint32_t thread, uint32_t event)
{
	uint32_t *slot = cp_map64_put(&s->at, (uint64_t)thread << 32 | event);

	if (*slot == 0) {
		*cp_vec_push(&s->all) =
		    (struct cp_firefox_thread){ .event = event,
			    .thread = thread };
		*slot = (uint32_t)s->all.len;
	}
	return *slot - 1;
}

static void
count(struct slots *s)
{
	size_t n = cp_profile_samples(s->p);

	s->slot = cp_xcalloc(n + 1, sizeof(*s->slot));
	for (size_t i = 0; i < n; i++) {
		s->slot[i] =
		    slot_of(s, s->p->thread.data[i], s->p->event.data[i]);
		s->all.data[s->slot[i]].n++;
	}
}

struct place {
	size_t n;
	uint32_t slot;
};

static int
place_cmp(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Gives each slot its thread in the profile. */
static uint32_t *
choose(const struct slots *s, struct cp_firefox_threads *t)
{
	uint32_t *to = cp_xcalloc(s->all.len + 1, sizeof(*to));
	uint32_t *rest = cp_xcalloc(s->p->events.len + 1, sizeof(*rest));
	struct place *order = cp_xcalloc(s->all.len + 1, sizeof(*order));

	for (uint32_t i = 0; i < s->all.len; i++)
		order[i] = (struct place){ s->all.data[i].n, i };
	qsort(order, s->all.len, sizeof(*order), place_cmp);
	for (uint32_t i = 0; i < s->all.len; i++) {
		const struct cp_firefox_thread *from =
		    &s->all.data[order[i].slot];
		uint32_t *row = &rest[from->event];

		if (i < MAX_THREADS || *row == 0) {
			*cp_vec_push(&t->all) = *from;
			if (i >= MAX_THREADS)
				*row = (uint32_t)t->all.len;
			to[order[i].slot] = (uint32_t)t->all.len - 1;
			continue;
		}
		/* The first of them stood for itself. */
		t->all.data[*row - 1].thread = CP_NO_ID;
		t->all.data[*row - 1].joined++;
		t->all.data[*row - 1].n += from->n;
		to[order[i].slot] = *row - 1;
	}
	free(order);
	free(rest);
	return to;
}

static void
sort_samples(
    const struct slots *s, const uint32_t *to, struct cp_firefox_threads *t)
{
	size_t n = cp_profile_samples(s->p), at = 0;

	t->order = cp_xcalloc(n + 1, sizeof(*t->order));
	for (size_t k = 0; k < t->all.len; k++) {
		struct cp_firefox_thread *thread = &t->all.data[k];

		if (thread->joined != 0)
			thread->joined++;
		thread->first = at;
		at += thread->n;
		thread->n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct cp_firefox_thread *thread = &t->all.data[to[s->slot[i]]];

		t->order[thread->first + thread->n++] = (uint32_t)i;
	}
}

void
cp_firefox_threads_init(
    struct cp_firefox_threads *t, const struct cp_profile *p)
{
	struct slots s = { .p = p };
	uint32_t *to;

	*t = (struct cp_firefox_threads){ 0 };
	count(&s);
	to = choose(&s, t);
	sort_samples(&s, to, t);
	free(to);
	free(s.slot);
	cp_vec_free(&s.all);
	cp_map64_free(&s.at);
}

void
cp_firefox_threads_free(struct cp_firefox_threads *t)
{
	cp_vec_free(&t->all);
	free(t->order);
}
