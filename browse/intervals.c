/* SPDX-License-Identifier: MIT */
/*
 * intervals: how sure the shares of functions are, as hotspots has it: how much
 * a share varies is measured on the order of the samples, for the heaviest
 * functions; the others have the mean of these.
 */
#include "browse/rows.h"

#include <stdlib.h>

#include "analyses/precision/dispersion.h"
#include "analyses/precision/seen.h"

#define MEASURED 100 /* shares */

struct measuring {
	const struct cp_browse_model *m;
	struct cp_arena arena;
	struct cp_series series;
	uint32_t *sample; /* those that are looked at */
	uint32_t n;
	bool *has, *below;                 /* of samples; of nodes */
	double *own_sq, *total_sq, all_sq; /* squares of weights */
	double sum;
	uint32_t measured;
};

static void *
in_arena(void *arena, size_t size)
{
	return cp_arena_alloc(arena, size);
}

/* Chooses pieces of neighbours, so that they are at most CP_SEEN_LIMIT. */
static void
choose(struct measuring *k)
{
	const struct cp_browse_model *m = k->m;
	const struct cp_profile *p = m->profile;
	struct cp_tick *ticks;
	size_t stride = 1, at = 0;

	while (m->n > stride * CP_SEEN_LIMIT)
		stride *= 2;
	k->sample =
	    cp_arena_alloc(&k->arena, (CP_SEEN_LIMIT + 1) * sizeof(*k->sample));
	ticks = cp_arena_alloc(&k->arena, (CP_SEEN_LIMIT + 1) * sizeof(*ticks));
	for (size_t i = 0; i < p->time.len; i++) {
		if (!cp_browse_selects(m, i, true) ||
		    at++ / CP_SEEN_PIECE % stride != 0 || k->n == CP_SEEN_LIMIT)
			continue;
		ticks[k->n] = (struct cp_tick){ .time = p->time.data[i],
			.lane = p->cpu.data[i] != CP_NO_ID
				    ? p->cpu.data[i]
				    : p->threads.data[p->thread.data[i]].tid |
					  UINT32_C(1) << 31,
			.alone = stride > 1 && k->n % CP_SEEN_PIECE == 0 };
		k->sample[k->n++] = (uint32_t)i;
	}
	cp_series_init(&k->series, in_arena, &k->arena, ticks, k->n);
}

static uint32_t
leaf_at(const struct measuring *k, uint32_t i)
{
	return k->m->leaf[k->m->profile->stack.data[k->sample[i]]];
}

/* Sums the squares of weights by node, then by function. */
static void
sum_squares(struct measuring *k)
{
	const struct cp_browse_model *m = k->m;
	const struct cp_profile *p = m->profile;
	double *node = cp_xcalloc(m->nodes.len, sizeof(*node));

	k->own_sq =
	    cp_arena_alloc(&k->arena, (m->functions.len + 1) * sizeof(double));
	k->total_sq =
	    cp_arena_alloc(&k->arena, (m->functions.len + 1) * sizeof(double));
	for (size_t i = 0; i < p->time.len; i++) {
		double w = (double)p->weight.data[i];
		uint32_t leaf = m->leaf[p->stack.data[i]];

		if (!cp_browse_selects(m, i, true))
			continue;
		node[leaf] += w * w;
		k->all_sq += w * w;
		if (leaf != 0)
			k->own_sq[m->nodes.data[leaf].function] += w * w;
	}
	for (size_t i = m->nodes.len; i-- > 1;) {
		const struct cp_browse_node *n = &m->nodes.data[i];

		if (!n->again)
			k->total_sq[n->function] += node[i];
		node[n->parent] += node[i];
	}
	free(node);
}

static int
by_total(const void *a, const void *b)
{
	return cp_browse_by_total(*(const struct cp_browse_row *const *)a,
	    *(const struct cp_browse_row *const *)b);
}

/* Measures one share, or takes the mean of those that were measured. */
static void
measure(struct measuring *k, struct cp_browse_row *row, bool total)
{
	const struct cp_browse_model *m = k->m;
	struct cp_mass part = { total ? row->total : row->self,
		total ? k->total_sq[row->id] : k->own_sq[row->id] };
	struct cp_whole whole = { .mass = { m->sum, k->all_sq } };
	double *ends = total ? row->total_interval : row->self_interval;

	if (k->measured < MEASURED) {
		for (uint32_t i = 1; total && i < m->nodes.len; i++) {
			const struct cp_browse_node *n = &m->nodes.data[i];

			k->below[i] =
			    n->function == row->id || k->below[n->parent];
		}
		for (uint32_t i = 0; i < k->n; i++) {
			uint32_t leaf = leaf_at(k, i);

			k->has[i] =
			    total ? k->below[leaf]
				  : leaf != 0 &&
					m->nodes.data[leaf].function == row->id;
		}
		whole.dispersion =
		    cp_series_dispersion(&k->series, k->has).program;
		k->sum += whole.dispersion;
		k->measured++;
	} else
		whole.dispersion = k->sum / k->measured;
	cp_interval(part, whole, &ends[0], &ends[1]);
}

void
cp_browse_intervals(struct cp_browse_rows *r, const struct cp_browse_model *m)
{
	struct measuring k = { .m = m };
	struct cp_browse_row **order;
	uint32_t *label;

	if (m->n == 0 || m->compares || m->profile->captures.len > 1 ||
	    m->profile->events.data[m->selection.event].complete)
		return;
	choose(&k);
	sum_squares(&k);
	label = cp_arena_alloc(&k.arena, (k.n + 1) * sizeof(*label));
	for (uint32_t i = 0; i < k.n; i++) {
		uint32_t leaf = leaf_at(&k, i);

		label[i] = leaf != 0 ? m->nodes.data[leaf].function
				     : (uint32_t)m->functions.len;
	}
	cp_series_common(&k.series, label, (uint32_t)m->functions.len + 1);
	k.has = cp_arena_alloc(&k.arena, (k.n + 1) * sizeof(*k.has));
	k.below = cp_arena_alloc(&k.arena, m->nodes.len * sizeof(*k.below));
	order = cp_xcalloc(r->rows.len + 1, sizeof(struct cp_browse_row *));
	for (size_t i = 0; i < r->rows.len; i++)
		order[i] = &r->rows.data[i];
	if (r->rows.len != 0)
		qsort(order, r->rows.len, sizeof(struct cp_browse_row *),
		    by_total);
	for (size_t i = 0; i < r->rows.len; i++) {
		measure(&k, order[i], true);
		measure(&k, order[i], false);
	}
	free(order);
	cp_arena_free(&k.arena);
}
