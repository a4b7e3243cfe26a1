/* SPDX-License-Identifier: MIT */
#include "analyses/precision/typical.h"

#include <stdlib.h>

/* Functions that are measured. */
#define MEASURED 40

struct function {
	uint32_t label, samples;
};

struct labels {
	struct cp_view *view;
	uint32_t *of; /* by sample */
	struct function *all;
	uint32_t n;
};

/* Numbers a frame's function, or its object if it has no name. */
static uint32_t
number(struct cp_index *index, struct cp_run *run, cp_stack_id stack)
{
	cp_frame_id frame = cp_stack_frame(run, stack);
	const struct cp_symbol *symbol = cp_frame_symbol(run, frame);

	if (symbol != NULL)
		return cp_index_put(index, symbol->id, 1);
	return cp_index_put(index, cp_frame_get(run, frame)->dso, 0);
}

static int
compare(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return (a->label > b->label) - (a->label < b->label);
}

static struct labels
labels_of(struct cp_run *run, struct cp_view *view)
{
	struct labels l = { .view = view };
	struct cp_index index;

	cp_index_init(&index, run);
	l.of = cp_run_alloc(run, view->log.n * sizeof(*l.of));
	for (uint32_t i = 0; i < view->log.n; i++)
		l.of[i] = number(&index, run, cp_seen_at(&view->log, i)->stack);
	l.n = index.n;
	l.all = cp_run_alloc(run, l.n * sizeof(*l.all));
	for (uint32_t i = 0; i < l.n; i++)
		l.all[i].label = i;
	for (uint32_t i = 0; i < view->log.n; i++)
		l.all[l.of[i]].samples++;
	cp_series_common(&view->series, l.of, l.n);
	qsort(l.all, l.n, sizeof(*l.all), compare);
	return l;
}

static double
measure(const struct labels *l, const struct function *f)
{
	struct cp_view *v = l->view;
	struct cp_dispersion d;

	for (uint32_t i = 0; i < v->log.n; i++)
		v->has[i] = l->of[i] == f->label;
	d = cp_series_dispersion(&v->series, v->has);
	return v->of->this_run ? d.run : d.program;
}

double
cp_precision_typical(struct cp_precision *p, uint32_t event)
{
	struct cp_view *view = cp_precision_view(p, event);
	double sum = 0, samples = 0;
	struct labels l;

	if (view == NULL)
		return 1;
	l = labels_of(p->run, view);
	for (uint32_t i = 0; i < l.n && i < MEASURED; i++) {
		sum += measure(&l, &l.all[i]) * l.all[i].samples;
		samples += l.all[i].samples;
	}
	p->measured = true;
	return sum / samples;
}

double *
cp_precision_typical_all(struct cp_precision *p)
{
	uint32_t n = cp_run_evsel_count(p->run);
	double *all = cp_run_alloc(p->run, (n + 1) * sizeof(*all));

	for (uint32_t i = 0; i < n; i++)
		if (!cp_evsel_complete(cp_run_evsel(p->run, i)))
			all[i] = cp_precision_typical(p, i);
	return all;
}
