/* SPDX-License-Identifier: MIT */
/*
 * totals: how long runs took, how much CPU time they used, and how many CPUs
 * were busy: what people measure before they ask for a profile.
 *
 * How long a run takes depends on what else wants its CPUs.  Without that it
 * would have taken at least as long as its CPU time lasts on as many CPUs as it
 * has threads, or, if the waits for a CPU were recorded, the time without them.
 * A length that such waits may explain is undecided, however large it is.
 */
#include <math.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/diff/family.h"
#include "analyses/common/chance.h"

/*
 * The standard deviation of the length of equal runs, in units of --noise, for
 * comparisons with one run on each side.
 */
#define LENGTH_NOISE 2.5
/* Clocks that differ by less count as one. */
#define SAME_CLOCK 0.05

void
cp_diff_time_add(struct cp_diff *d, const struct cp_sample *s)
{
	const struct cp_evsel *e = cp_run_evsel(d->run, s->evsel);
	double ns = cp_event_is_clock(e)        ? (double)cp_event_ns(e, s)
		    : cp_event_measures_time(e) ? cp_event_interval(e)
						: 0;
	unsigned kernel = s->level == CP_LEVEL_KERNEL;

	if (ns > 0 && s->tid != 0)
		cp_tally_add(d->time, (uint64_t)s->event << 1 | kernel, s->tid,
		    (uint64_t)ns);
}

void
cp_diff_time_read(struct cp_diff *d, struct cp_diff_profile *p, uint32_t event)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(d->time, &rows);
	uint32_t threads[2] = { 0 };

	for (size_t i = 0; i < n; i++) {
		unsigned kernel = rows[i].a & 1;
		struct cp_diff_cell *c = &p->cpu[kernel];

		if (rows[i].a >> 1 != event)
			continue;
		c->weight += (double)rows[i].weight;
		c->weight_sq += rows[i].weight_sq;
		c->samples += rows[i].count;
		threads[kernel]++;
	}
	p->threads = threads[0] > threads[1] ? threads[0] : threads[1];
}

/* Returns the seconds of a run; those of a sum followed each other. */
static double
length_of(const struct cp_diff_profile *p)
{
	return p->duration / p->covers.runs;
}

static double
cpu_of(const struct cp_diff_profile *p)
{
	return (p->cpu[0].weight + p->cpu[1].weight) / 1e9 / p->covers.runs;
}

/* Returns how long it would have taken at least without other work. */
static double
least_length(const struct cp_diff_profile *p)
{
	double own = cpu_of(p) / fmax(1, p->threads);

	if (p->runnable >= 0)
		own = fmax(own, (p->duration - p->runnable) / p->covers.runs);
	return fmin(own, length_of(p));
}

/* Returns the geometric mean of a side; 0: not known of all its runs. */
static double
mean_of(const struct cp_diff *d, double (*of)(const struct cp_diff_profile *),
    bool after)
{
	uint32_t from = after ? d->runs.before : 0;
	uint32_t to = after ? d->n_runs : d->runs.before;
	double sum = 0;

	for (uint32_t r = from; r < to; r++)
		sum += log(of(&d->profiles.all[r])) / (to - from);
	return isfinite(sum) ? exp(sum) : 0;
}

/* Returns the variance of the logarithm of the ratio of both means. */
static double
variance_of(
    const struct cp_diff *d, double (*of)(const struct cp_diff_profile *))
{
	double least = d->noise * d->noise, sum = 0;
	double mean[2] = { log(mean_of(d, of, false)),
		log(mean_of(d, of, true)) };

	if (d->n_runs == 2)
		return 2 * LENGTH_NOISE * LENGTH_NOISE * least;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		double off =
		    log(of(&d->profiles.all[r])) - mean[r >= d->runs.before];

		sum += off * off;
	}
	return fmax(least, sum / (d->n_runs - 2)) *
	       (1.0 / d->runs.before + 1.0 / d->runs.after);
}

static void
test(const struct cp_diff *d, struct cp_diff_total *t,
    double (*of)(const struct cp_diff_profile *))
{
	double change = log(t->after / t->before), error, degrees;

	t->change = t->after / t->before - 1;
	error = sqrt(variance_of(d, of));
	degrees = d->n_runs == 2 ? CP_T_MANY : d->n_runs - 2;
	t->p = cp_t_tail(fabs(change) / error, degrees);
	t->lo = exp(change - cp_t_quantile(0.05, degrees) * error) - 1;
	t->hi = exp(change + cp_t_quantile(0.05, degrees) * error) - 1;
}

/* Adds a row; before and after are 0 if that is not known. */
static struct cp_diff_total *
add(struct cp_diff *d, const char *name, enum cp_diff_measure measure,
    double before, double after)
{
	struct cp_diff_total *t = &d->total[d->n_totals++];

	*t = (struct cp_diff_total){ .name = name,
		.measure = measure,
		.before = before,
		.after = after,
		.change = before > 0 ? after / before - 1 : (double)NAN,
		.lo = 1,
		.p = NAN };
	return t;
}

/* True if runs did the same work, so that their lengths say something. */
static bool
are_runs(const struct cp_diff *d)
{
	for (uint32_t r = 0; r < d->n_runs; r++)
		if (d->profiles.all[r].covers.extent == CP_DIFF_WINDOW)
			return false;
	return d->whole_unit == CP_DIFF_RUN && d->lacks == NULL;
}

/* Without times a run has no length; it was not 0. */
static double
known(double length)
{
	return length > 0 ? length : (double)NAN;
}

static void
add_length(struct cp_diff *d)
{
	struct cp_diff_total *t = add(d, "Elapsed", CP_DIFF_SECONDS,
	    known(mean_of(d, length_of, false)),
	    known(mean_of(d, length_of, true)));
	double before = mean_of(d, least_length, false);
	double after = mean_of(d, least_length, true);

	if (!are_runs(d) || !(t->before > 0) || !(t->after > 0))
		return;
	test(d, t, length_of);
	if (t->p < d->alpha)
		t->verdict =
		    (t->change > 0 ? after > t->before : t->after < before)
			? CP_DIFF_CHANGED
			: CP_DIFF_UNDECIDED;
}

/* Tests CPU time, all of it or that of one side of the kernel's border. */
static void
add_cpu(struct cp_diff *d, const char *name, unsigned from, unsigned to)
{
	struct cp_diff_cell *c = cp_run_alloc(d->run, d->n_runs * sizeof(*c));
	double *norm = cp_run_alloc(d->run, d->n_runs * sizeof(*norm));
	struct cp_diff_runs runs = d->whole_runs;
	struct cp_diff_total *t;
	struct cp_diff_result r;

	for (uint32_t i = 0; i < d->n_runs; i++) {
		const struct cp_diff_profile *p = &d->profiles.all[i];

		norm[i] = p->covers.runs;
		c[i].dispersion = p->whole;
		for (unsigned k = from; k < to; k++) {
			c[i].weight += p->cpu[k].weight;
			c[i].weight_sq += p->cpu[k].weight_sq;
			c[i].samples += p->cpu[k].samples;
		}
	}
	runs.norm = norm;
	runs.norm_var = 0;
	runs.unit = 1e6;
	r = cp_diff_test_whole(&runs, c);
	if (r.samples_before + r.samples_after == 0)
		return;
	t = add(d, name, CP_DIFF_SECONDS, r.before / 1e9, r.after / 1e9);
	if (!are_runs(d))
		return;
	t->change = r.change;
	t->lo = r.lo;
	t->hi = r.hi;
	t->p = fmin(1, 2 * r.p);
	t->verdict = cp_diff_verdict_of(d, t->p, fmin(1, 2 * r.p_sampling));
}

/* How many CPUs were busy with it at once, on the average. */
static void
add_busy(struct cp_diff *d, const struct cp_diff_total *length,
    const struct cp_diff_total *cpu)
{
	struct cp_diff_total *t = add(d, "CPUs busy", CP_DIFF_NUMBER,
	    cpu->before / length->before, cpu->after / length->after);
	double from = log1p(length->change), to = log1p(cpu->change), error;

	if (isnan(length->p) || isnan(cpu->p))
		return;
	error = hypot(log1p(length->hi) - from, log1p(cpu->hi) - to);
	t->lo = exp(to - from - error) - 1;
	t->hi = exp(to - from + error) - 1;
	t->p = cp_t_tail(1.96 * fabs(to - from) / fmax(error, 1e-9), CP_T_MANY);
	if (t->p < d->alpha)
		t->verdict =
		    (t->change > 0
			    ? t->after >
				  cpu->before / mean_of(d, least_length, false)
			    : cpu->after / mean_of(d, least_length, true) <
				  t->before)
			? CP_DIFF_CHANGED
			: CP_DIFF_UNDECIDED;
}

/* The event, if it is not time; and how fast the clock ran, if it is cycles. */
static void
add_event(struct cp_diff *d, const struct cp_diff_total *cpu)
{
	const struct cp_diff_profile *p = cp_diff_first(&d->profiles);
	const struct cp_diff_result *w = &d->whole;
	struct cp_diff_total *t;

	if (p == NULL || strcmp(p->weight_unit, "ns") == 0)
		return;
	if (d->nameless != NULL)
		return;
	t = add(d, p->event, CP_DIFF_NUMBER, w->before, w->after);
	t->change = w->change;
	t->lo = w->lo;
	t->hi = w->hi;
	t->p = w->p;
	t->verdict = d->whole_verdict;
	if (cpu == NULL || strcmp(p->weight_unit, "cycles") != 0 ||
	    d->whole_unit != CP_DIFF_RUN || !(cpu->before > 0) ||
	    !(cpu->after > 0))
		return;
	t = add(d, "Clock, GHz", CP_DIFF_NUMBER, w->before / cpu->before / 1e9,
	    w->after / cpu->after / 1e9);
	if (fabs(log1p(t->change)) > SAME_CLOCK)
		d->clock = 1 + t->change;
}

static void
add_work(struct cp_diff *d)
{
	double side[2] = { 0 };

	for (uint32_t r = 0; r < d->n_runs; r++)
		side[r >= d->runs.before] +=
		    d->work[r] /
		    (r < d->runs.before ? d->runs.before : d->runs.after);
	add(d, "Work (--per)", CP_DIFF_NUMBER, side[0], side[1]);
}

void
cp_diff_totals(struct cp_diff *d)
{
	const struct cp_diff_total *length, *cpu = NULL;
	bool known = true;

	d->clock = 1;
	for (uint32_t r = 0; r < d->n_runs; r++)
		known &= cpu_of(&d->profiles.all[r]) > 0 &&
			 d->profiles.all[r].same_event;
	add_length(d);
	length = &d->total[0];
	if (known) {
		cpu = &d->total[d->n_totals];
		add_cpu(d, "CPU time", 0, 2);
		add_cpu(d, "  user", 0, 1);
		add_cpu(d, "  kernel", 1, 2);
		if (length->before > 0 && length->after > 0)
			add_busy(d, length, cpu);
	}
	if (d->unit == CP_DIFF_NUMBERS)
		add_work(d);
	if (cp_diff_lacks(d) == NULL)
		add_event(d, cpu);
}

const struct cp_diff_total *
cp_diff_total(const struct cp_diff *d, const char *name)
{
	for (uint32_t i = 0; i < d->n_totals; i++)
		if (strcmp(d->total[i].name, name) == 0)
			return &d->total[i];
	return NULL;
}

/* ------------------------------------------------------------------- losses */

/* Returns the mean factor that makes up for what a side lost. */
static double
make_up(const struct cp_diff *d, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t r = from; r < to; r++)
		sum += 1 / (1 - d->profiles.all[r].lost);
	return sum / (to - from);
}

double
cp_diff_hidden(const struct cp_diff *d)
{
	double before = make_up(d, 0, d->runs.before);
	double after = make_up(d, d->runs.before, d->n_runs);

	return (1 + d->whole.change) * after / before - 1;
}
