/* SPDX-License-Identifier: MIT */
#include "analyses/blockio/blockio.h"

#include <string.h>

#define HEADS 8192u
/* Requests looked at: so many of one sector, or of one hash, are made up. */
#define MOST_LOOKED 1024u

void
cp_inflight_init(struct cp_inflight *f, struct cp_run *run)
{
	*f = (struct cp_inflight){ .run = run };
	f->heads = cp_run_alloc(run, HEADS * sizeof(*f->heads));
}

static uint32_t *
head_of(struct cp_inflight *f, uint32_t device, uint64_t sector)
{
	uint64_t h =
	    (sector ^ (uint64_t)device << 40) * UINT64_C(0x9e3779b97f4a7c15);

	return &f->heads[(h >> 32) % HEADS];
}

bool
cp_inflight_add(struct cp_inflight *f, const struct cp_request *r)
{
	uint32_t *head = head_of(f, r->device, r->sector), i;

	if (f->live == CP_MAX_IN_FLIGHT)
		return false;
	if (f->unused != 0) {
		i = f->unused - 1;
		f->unused = f->all[i].next;
	} else {
		i = f->n++;
		cp_grow_to(f->run, f->all, &f->cap, i);
	}
	f->all[i] = *r;
	f->all[i].next = *head;
	*head = i + 1;
	f->live++;
	return true;
}

/*
 * How well does a request in flight fit?  0: it is another.  Requests without
 * sectors (flushes) may all have the same first sector.
 */
static unsigned
fit(const struct cp_request *r, const struct cp_request *like)
{
	if (r->device != like->device || r->sector != like->sector ||
	    (r->sectors == 0) != (like->sectors == 0) ||
	    (r->operation != like->operation && r->operation != 0 &&
		like->operation != 0))
		return 0;
	return r->sectors == like->sectors  ? 3
	       : r->sectors > like->sectors ? 2
					    : 1;
}

bool
cp_inflight_take(struct cp_inflight *f, const struct cp_request *like,
    struct cp_request *out)
{
	uint32_t *at = head_of(f, like->device, like->sector), *best = NULL, i;
	unsigned most = 1, looked = 0;
	struct cp_request *r;

	for (; *at != 0 && looked++ < MOST_LOOKED; at = &f->all[*at - 1].next) {
		unsigned fits = fit(&f->all[*at - 1], like);

		if (fits > most ||
		    (fits == most &&
			(best == NULL ||
			    f->all[*at - 1].time < f->all[*best - 1].time))) {
			most = fits;
			best = at;
		}
	}
	if (best == NULL)
		return false;
	i = *best;
	r = &f->all[i - 1];
	*out = *r;
	*best = r->next;
	r->next = f->unused;
	r->used = false;
	f->unused = i;
	f->live--;
	return true;
}

void
cp_inflight_clear(struct cp_inflight *f)
{
	memset(f->heads, 0, HEADS * sizeof(*f->heads));
	f->n = f->live = f->unused = 0;
}
