/* SPDX-License-Identifier: MIT */
#include "analyses/precision/precision.h"

#include <string.h>

int
cp_precision_init(struct cp_precision *p, struct cp_run *run)
{
	const char *of = cp_run_option(run, "interval");

	*p = (struct cp_precision){ .run = run };
	p->none = of != NULL && strcmp(of, "none") == 0;
	if (of == NULL || strcmp(of, "program") == 0 || p->none)
		return CP_OK;
	if (strcmp(of, "run") != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--interval: '%.40s' is not program, run or none", of);
		return CP_FAIL;
	}
	p->this_run = true;
	return CP_OK;
}

static void
views_grow(struct cp_precision *p, uint32_t event)
{
	uint32_t n = event < 4 ? 8 : 2 * event;
	struct cp_view **all = cp_run_alloc(p->run, n * sizeof(*all));

	if (p->n_views != 0)
		memcpy(all, p->view, p->n_views * sizeof(*all));
	p->view = all;
	p->n_views = n;
}

void
cp_precision_add(
    struct cp_precision *p, const struct cp_sample *s, uint32_t group)
{
	struct cp_view *v;

	if (s->event >= p->n_views)
		views_grow(p, s->event);
	v = p->view[s->event];
	if (v == NULL) {
		v = p->view[s->event] = cp_run_alloc(p->run, sizeof(*v));
		v->of = p;
	}
	cp_seen_add(&v->log, p->run, s, group);
}

static void *
of_run(void *run, size_t size)
{
	return cp_run_alloc(run, size);
}

static void
view_ready(struct cp_view *v)
{
	struct cp_run *run = v->of->run;
	struct cp_tick *ticks = cp_run_alloc(run, v->log.n * sizeof(*ticks));

	for (uint32_t i = 0; i < v->log.n; i++) {
		const struct cp_seen *seen = cp_seen_at(&v->log, i);

		ticks[i] = (struct cp_tick){ .time = seen->time,
			.lane = seen->lane,
			.alone = v->log.stride > 1 && i % CP_SEEN_PIECE == 0 };
	}
	cp_series_init(&v->series, of_run, run, ticks, v->log.n);
	v->has = cp_run_alloc(run, v->log.n * sizeof(*v->has));
}

uint32_t
cp_precision_group(const struct cp_precision *p, const struct cp_seen *seen)
{
	return p->alias != NULL ? p->alias[seen->group] : seen->group;
}

struct cp_view *
cp_precision_view(struct cp_precision *p, uint32_t event)
{
	struct cp_view *v = event < p->n_views ? p->view[event] : NULL;

	if (v != NULL && v->series.n == 0)
		view_ready(v);
	return v;
}

struct cp_whole
cp_precision_marked(struct cp_view *v, struct cp_whole whole)
{
	struct cp_dispersion d = cp_series_dispersion(&v->series, v->has);

	whole.dispersion = v->of->this_run ? d.run : d.program;
	v->of->measured = true;
	return whole;
}

struct cp_whole
cp_precision_whole(struct cp_view *v, struct cp_whole whole,
    bool (*has)(const void *ctx, const struct cp_seen *), const void *ctx)
{
	if (v == NULL || whole.complete)
		return whole;
	for (uint32_t i = 0; i < v->log.n; i++)
		v->has[i] = has(ctx, cp_seen_at(&v->log, i));
	return cp_precision_marked(v, whole);
}

void
cp_precision_note(const struct cp_precision *p, struct cp_report *rep)
{
	if (!p->measured || p->none)
		return;
	if (p->this_run)
		cp_report_note(rep,
		    "the 95 %% intervals are for this run: where its time "
		    "went (--interval program: for other runs)");
	else
		cp_report_note(rep,
		    "the 95 %% intervals are for the program: what other runs "
		    "under the same conditions would show (--interval run: for "
		    "this run)");
}
