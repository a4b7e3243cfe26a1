/* SPDX-License-Identifier: MIT */
/*
 * weights: what a sample weighs, and in which unit.
 *
 * The same event has periods in one capture and only a frequency in another:
 * one counts events, the other ns.  A ratio of the two says nothing, so diff
 * refuses it.
 */
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/diff/diff.h"

#define SAMPLE_PERIOD (UINT64_C(1) << 8) /* of sample_type */
#define NS "ns"

/* Without recorded periods a sample stands for one period of the frequency. */
static bool
has_frequency_only(const struct cp_diff *d, const struct cp_evsel *e)
{
	return e->freq && (e->sample_type & SAMPLE_PERIOD) == 0 &&
	       e->sample_period != 0 &&
	       strcmp(cp_run_weight_name(d->run), "period") == 0;
}

/* Folded stacks and some formats of JSON count samples of they do not say what.
 */
bool
cp_diff_is_nameless(const char *event)
{
	return strcmp(event, "samples") == 0;
}

uint64_t
cp_diff_weigh(const struct cp_diff *d, const struct cp_sample *s)
{
	const struct cp_evsel *e = cp_run_evsel(d->run, s->evsel);

	if (d->unit == CP_DIFF_SAMPLES)
		return 1;
	return has_frequency_only(d, e)
		   ? UINT64_C(1000000000) / e->sample_period
		   : s->weight;
}

const char *
cp_diff_weight_unit(const struct cp_diff *d, uint32_t event)
{
	const struct cp_evsel *e = cp_run_evsel(d->run, event);

	return has_frequency_only(d, e) ? NS : cp_event_unit(d->run, e);
}

/*
 * True if weights have a ratio.  Events of one name may be "cycles" here and
 * "events" there, by the type that perf gave them.
 */
static bool
is_comparable(const char *a, const char *b)
{
	return (strcmp(a, NS) == 0) == (strcmp(b, NS) == 0);
}

/* ------------------------------------------------------------------ check */

static int
refuse(const struct cp_diff *d, const struct cp_diff_profile *a,
    const struct cp_diff_profile *b)
{
	cp_run_diag(d->run, CP_D_USAGE,
	    "%.100s of %.200s is weighed in %s, %.100s of %.200s in %s: units "
	    "that have no ratio; --per samples compares numbers of samples",
	    a->event, a->name, a->weight_unit, b->event, b->name,
	    b->weight_unit);
	return CP_FAIL;
}

/* Makes a sample of each capture weigh 1 on the average. */
static void
count_samples(struct cp_diff_profile *p)
{
	double f = p->weight > 0 ? (double)p->samples / p->weight : 1;

	for (uint32_t i = 0; i < p->n; i++) {
		p->self[i] *= f;
		p->self_sq[i] *= f * f;
	}
	p->weight *= f;
	p->weight_sq *= f * f;
	p->weight_unit = "events";
}

/* Samples have a ratio; so has a cost in units of a function's. */
int
cp_diff_units_check(struct cp_diff *d)
{
	struct cp_diff_profile *p = d->profiles.all;
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);

	for (uint32_t r = 0; r < d->n_runs && d->nameless != NULL; r++)
		count_samples(&p[r]);
	if (d->nameless != NULL && d->per == NULL)
		d->unit = CP_DIFF_SAMPLES;
	if (d->unit == CP_DIFF_SAMPLES || d->unit == CP_DIFF_FUNCTION)
		return CP_OK;
	for (uint32_t r = 1; r < d->n_runs; r++) {
		/* The gate itself says that an event is missing. */
		if (first == NULL || p[r].samples == 0 ||
		    (d->gate && !p[r].same_event))
			continue;
		if (!is_comparable(first->weight_unit, p[r].weight_unit))
			return refuse(d, first, &p[r]);
	}
	return CP_OK;
}
