/* SPDX-License-Identifier: MIT */
#include "analyses/precision/rows.h"

/* The heaviest rows are measured; lighter ones have too few samples. */
#define MEASURED 100

struct row {
	const struct cp_rows_precision *rp;
	uint32_t group, entity;
};

void
cp_rows_precision_init(struct cp_rows_precision *rp, struct cp_view *view,
    const struct cp_sums *sums)
{
	struct cp_run *run = sums->paths.run;
	*rp = (struct cp_rows_precision){ .view = view, .sums = sums };
	if (view == NULL)
		return;
	rp->inside = cp_run_alloc(run, sums->paths.n * sizeof(*rp->inside));
	rp->label = cp_run_alloc(run, view->log.n * sizeof(*rp->label));
	for (uint32_t i = 0; i < view->log.n; i++)
		rp->label[i] =
		    sums->entity[sums->paths
				     .at[cp_seen_at(&view->log, i)->stack]];
	cp_series_common(&view->series, rp->label, sums->entities->n);
}

/* Marks the samples of the row, or those below it. */
static void
mark_samples(const struct row *r, bool children)
{
	struct cp_view *v = r->rp->view;
	const struct cp_paths *paths = &r->rp->sums->paths;

	for (uint32_t i = 0; i < v->log.n; i++)
		v->has[i] =
		    children
			? r->rp
			      ->inside[paths->at[cp_seen_at(&v->log, i)->stack]]
			: r->rp->label[i] == r->entity;
	for (uint32_t i = 0; r->group != CP_NO_ID && i < v->log.n; i++)
		v->has[i] = v->has[i] &&
			    cp_precision_group(v->of, cp_seen_at(&v->log, i)) ==
				r->group;
}

struct cp_whole
cp_rows_precision_whole(struct cp_rows_precision *rp, struct cp_whole whole,
    uint32_t group, uint32_t entity, bool children)
{
	struct row row = { rp, group, entity };

	if (rp->view == NULL || whole.complete)
		return whole;
	if (rp->measured == MEASURED) {
		whole.dispersion = rp->sum / rp->measured;
		return whole;
	}
	if (children) {
		const struct cp_paths *paths = &rp->sums->paths;

		rp->inside[0] = rp->sums->entity[0] == entity;
		for (uint32_t i = 1; i < paths->n; i++)
			rp->inside[i] = rp->sums->entity[i] == entity ||
					(paths->parent[i] != 0 &&
					    rp->inside[paths->parent[i]]);
	}
	mark_samples(&row, children);
	whole = cp_precision_marked(rp->view, whole);
	rp->sum += whole.dispersion;
	rp->measured++;
	return whole;
}
