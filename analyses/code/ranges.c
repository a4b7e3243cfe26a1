/* SPDX-License-Identifier: MIT */
#include "analyses/code/families.h"

#include <stdlib.h>

#include "analyses/common/label.h"

/*
 * Samples of a loop lie a few instructions apart; between two functions lie
 * the end of one, padding, and the beginning of the other.
 */
#define NEAR 64
/* called from the same place: the same function, however it is sampled */
#define SAME_CALLER 256
/*
 * What one place calls has its extent known from so many samples: two such
 * extents without a common place are two functions, however near they are.
 */
#define ENOUGH 10
/* hardly any function is longer */
#define LONGEST 65536
/* a range with less weight than 1 / LEAST, or fewer samples, has no row */
#define LEAST 100
#define SAMPLES 5

/* A frame without a name. */
struct place {
	double share; /* of the weight, with callees */
	uint64_t samples, addr;
	uint32_t object; /* short name and level */
	cp_frame_id frame;
	int32_t joins; /* > 0 as a running sum: joined with the next place */
	bool called;   /* some caller is known */
};

struct call {
	cp_frame_id caller;
	uint32_t place;
};

/* By node: share of the weight, and samples, with callees. */
struct total {
	double share;
	uint64_t samples;
};

static struct total *
node_totals(const struct cp_paths *p, const struct cp_tally_row *rows, size_t n,
    const double *share)
{
	struct total *total = cp_run_alloc(p->run, p->n * sizeof(*total));
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += (double)rows[i].weight;
	for (size_t i = 0; i < n; i++) {
		struct total *t = &total[p->at[rows[i].b]];

		t->share += share != NULL
				? share[i]
				: cp_share((double)rows[i].weight, all);
		t->samples += rows[i].count;
	}
	for (uint32_t i = p->n; i-- > 1;) {
		total[p->parent[i]].share += total[i].share;
		total[p->parent[i]].samples += total[i].samples;
	}
	return total;
}

static int
compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static int
compare_calls(const void *va, const void *vb)
{
	const struct call *a = va, *b = vb;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Names of objects are one in all processes, as rows are. */
static uint32_t
object_of(const struct cp_run *run, const struct cp_frame *f)
{
	const struct cp_dso *d = f->dso != 0 ? cp_run_dso(run, f->dso) : NULL;

	return (d != NULL ? d->short_name : 0) << 3 | f->level;
}

/* Returns the places, sorted; at: by frame, the place + 1. */
static struct place *
find_places(struct cp_run *run, const struct cp_paths *p,
    const struct total *total, uint32_t *at, uint32_t *count)
{
	struct place *all = cp_run_alloc(run, p->n * sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->n; i++) {
		cp_frame_id id = p->frame[i];

		if (at[id] == 0) {
			const struct cp_frame *f = cp_frame_get(run, id);

			if (id == 0 || (f->flags & CP_FRAME_LOST) != 0 ||
			    cp_frame_function(run, id) != NULL) {
				at[id] = CP_NO_ID;
				continue;
			}
			all[n] = (struct place){ .addr = f->addr,
				.object = object_of(run, f),
				.frame = id };
			at[id] = ++n;
		}
		if (at[id] == CP_NO_ID)
			continue;
		all[at[id] - 1].share += total[i].share;
		all[at[id] - 1].samples += total[i].samples;
		all[at[id] - 1].called |= p->parent[i] != 0;
	}
	qsort(all, n, sizeof(*all), compare_places);
	for (uint32_t i = 0; i < n; i++)
		at[all[i].frame] = i + 1;
	*count = n;
	return all;
}

/* Joins places that one instruction calls. */
static void
join_callees(struct cp_run *run, const struct cp_paths *p, const uint32_t *at,
    struct place *all)
{
	struct call *calls = cp_run_alloc(run, p->n * sizeof(*calls));
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->n; i++) {
		uint32_t place = at[p->frame[i]];

		if (p->parent[i] != 0 && place != CP_NO_ID)
			calls[n++] =
			    (struct call){ p->frame[p->parent[i]], place - 1 };
	}
	qsort(calls, n, sizeof(*calls), compare_calls);
	for (uint32_t i = 1; i < n; i++) {
		struct place *a = &all[calls[i - 1].place];
		struct place *b = &all[calls[i].place];

		if (calls[i].caller != calls[i - 1].caller || a == b ||
		    a->object != b->object || b->addr - a->addr > SAME_CALLER)
			continue;
		a->joins++;
		b->joins--;
	}
	cp_run_free(run, calls, p->n * sizeof(*calls));
}

/* Gives a range to the places from..to - 1 if it matters. */
static void
range_end(struct cp_entities *e, struct place *all, uint32_t from, uint32_t to)
{
	struct cp_code_range *r = &e->ranges[e->n_ranges];
	double share = 0;
	uint64_t samples = 0;

	for (uint32_t i = from; i < to; i++) {
		share += all[i].share;
		samples += all[i].samples;
	}
	if (share * LEAST < 1 || samples < SAMPLES)
		return;
	*r = (struct cp_code_range){ all[from].addr,
		(uint32_t)(all[to - 1].addr - all[from].addr) };
	e->n_ranges++;
	for (uint32_t i = from; i < to; i++)
		e->range_of[all[i].frame] = e->n_ranges;
}

/* Places that belong together: from ... to - 1. */
struct part {
	uint32_t from, to;
	uint64_t samples;
	bool called;
};

static struct part
next_part(const struct place *all, uint32_t n, uint32_t from)
{
	struct part p = { .from = from, .to = from };
	int32_t joined;

	for (joined = 0; p.to < n; p.to++) {
		p.samples += all[p.to].samples;
		p.called |= all[p.to].called;
		joined += all[p.to].joins;
		if (joined <= 0)
			break;
	}
	p.to += p.to < n;
	return p;
}

static bool
is_near(const struct place *all, const struct part *a, const struct part *b)
{
	const struct place *end = &all[a->to - 1], *begin = &all[b->from];
	bool apart = a->called && b->called && a->samples >= ENOUGH &&
		     b->samples >= ENOUGH;

	return end->object == begin->object &&
	       all[b->to - 1].addr - all[a->from].addr < LONGEST &&
	       begin->addr - end->addr <= (apart ? 0 : NEAR);
}

static void
cut(struct cp_entities *e, struct place *all, uint32_t n)
{
	struct part last = next_part(all, n, 0);
	double share = 0;
	size_t most;

	for (uint32_t i = 0; i < n; i++)
		share += all[i].share;
	most = (size_t)(share * LEAST) + 2; /* each has a LEAST of it */
	e->ranges = cp_run_alloc(e->run, most * sizeof(*e->ranges));
	while (last.to < n) {
		struct part next = next_part(all, n, last.to);

		if (is_near(all, &last, &next)) {
			last.to = next.to;
			last.samples += next.samples;
			last.called |= next.called;
			continue;
		}
		range_end(e, all, last.from, last.to);
		last = next;
	}
	range_end(e, all, last.from, last.to);
}

void
cp_ranges_find(struct cp_entities *e, const struct cp_paths *p,
    const struct cp_tally_row *rows, size_t n, const double *share)
{
	struct total *total = node_totals(p, rows, n, share);
	uint32_t *at = cp_run_alloc(e->run, p->frames * sizeof(*at));
	uint32_t places;
	struct place *all = find_places(e->run, p, total, at, &places);

	cp_run_free(e->run, total, p->n * sizeof(*total));
	if (places != 0) {
		e->range_of =
		    cp_run_alloc(e->run, p->frames * sizeof(*e->range_of));
		join_callees(e->run, p, at, all);
		cut(e, all, places);
	}
	cp_run_free(e->run, at, p->frames * sizeof(*at));
	cp_run_free(e->run, all, p->n * sizeof(*all));
}
