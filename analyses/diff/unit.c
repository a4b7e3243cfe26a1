/* SPDX-License-Identifier: MIT */
/*
 * unit: the work that costs are divided by, so that runs are comparable.
 *
 * It is never guessed from the profile.  A command that ran to its end did the
 * same work before and after, so its cost is compared as it is.  A window of a
 * system that goes on is compared by the second, and by the CPU observed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/chance.h"
#include "analyses/diff/diff.h"

static const char *const word[] = { [CP_DIFF_RUN] = "run",
	[CP_DIFF_TIME] = "time",
	[CP_DIFF_CPU] = "cpu",
	[CP_DIFF_SAMPLES] = "samples",
	[CP_DIFF_MEDIAN] = "median" };
#define WORDS (sizeof(word) / sizeof(word[0]))
#define FUNCTION "function:"

/* Parses numbers above 0, separated by commas; returns how many, 0: invalid. */
static uint32_t
numbers(const char *text, double *out, uint32_t room)
{
	char *end;

	for (uint32_t n = 0; n < room; n++) {
		double value = strtod(text, &end);

		if (end == text || !(value > 0) || !isfinite(value))
			return 0;
		out[n] = value;
		if (*end == '\0')
			return n + 1;
		if (*end != ',')
			return 0;
		text = end + 1;
	}
	return 0;
}

int
cp_diff_unit_parse(struct cp_diff *d)
{
	double first[1000];

	d->per = cp_run_option(d->run, "per");
	if (d->per == NULL)
		return CP_OK;
	for (unsigned i = CP_DIFF_RUN; i < WORDS; i++)
		if (strcmp(d->per, word[i]) == 0)
			d->unit = (enum cp_diff_unit)i;
	if (strncmp(d->per, FUNCTION, strlen(FUNCTION)) == 0 &&
	    d->per[strlen(FUNCTION)] != '\0')
		d->unit = CP_DIFF_FUNCTION;
	else if (numbers(d->per, first, 1000) > 1)
		d->unit = CP_DIFF_NUMBERS;
	if (d->unit != CP_DIFF_DEFAULT)
		return CP_OK;
	cp_run_diag(d->run, CP_D_USAGE,
	    "--per wants run, time, cpu, samples, median, NUMBER,NUMBER or "
	    "function:NAME, not `%.60s'",
	    d->per);
	return CP_FAIL;
}

/*
 * True if each capture observed CPUs as a whole.  A process is on as many as it
 * wants: beside it a second of each CPU says nothing.
 */
static bool
by_cpus(const struct cp_diff *d)
{
	for (uint32_t r = 0; r < d->n_runs; r++)
		if (!(d->profiles.all[r].covers.cpus > 0))
			return false;
	return true;
}

const char *
cp_diff_unit_name(const struct cp_diff *d, enum cp_diff_unit unit)
{
	static const char *const name[] = {
		[CP_DIFF_RUN] = "cost of a run",
		[CP_DIFF_TIME] = "cost of a second",
		[CP_DIFF_CPU] = "share of all that was used",
		[CP_DIFF_SAMPLES] = "share of the samples",
		[CP_DIFF_MEDIAN] = "cost, if most functions stayed the same",
		[CP_DIFF_FUNCTION] = "cost against that of a function",
		[CP_DIFF_NUMBERS] = "cost of a unit of the work given",
	};

	if (unit == CP_DIFF_TIME && by_cpus(d))
		return "cost of a second of each CPU";
	return name[unit];
}

/* ------------------------------------------------------------------- norms */

/* Returns RUN if all captures were commands, else TIME. */
static enum cp_diff_unit
usual(const struct cp_diff *d)
{
	for (uint32_t r = 0; r < d->n_runs; r++)
		if (d->profiles.all[r].covers.extent == CP_DIFF_WINDOW)
			return CP_DIFF_TIME;
	return CP_DIFF_RUN;
}

static int
by_time(struct cp_diff *d, double *norm)
{
	const struct cp_diff_profile *p = d->profiles.all;
	bool cpus = by_cpus(d);

	for (uint32_t r = 0; r < d->n_runs; r++) {
		if (!(p[r].duration > 0) && p[r].samples != 0) {
			cp_run_diag(d->run, CP_D_USAGE,
			    "%.200s has no times: give --per run or numbers",
			    p[r].name);
			return CP_FAIL;
		}
		norm[r] = p[r].duration * (cpus ? p[r].covers.cpus : 1);
	}
	return CP_OK;
}

int
cp_diff_work_read(struct cp_diff *d)
{
	struct cp_diff_profiles *p = &d->profiles;
	double *value = cp_run_alloc(d->run, (p->n + 2) * sizeof(*value));
	uint32_t n;

	if (d->unit != CP_DIFF_NUMBERS)
		return CP_OK;
	n = numbers(d->per, value, p->n > 2 ? p->n : 2);
	if (n != p->n &&
	    (n != 2 || cp_run_option(d->run, "versions") != NULL)) {
		cp_run_diag(d->run, CP_D_USAGE,
		    "--per wants a number for each of %" PRIu32
		    " captures, or one for each side",
		    p->n);
		return CP_FAIL;
	}
	for (uint32_t r = 0; r < p->n; r++)
		p->all[r].work = value[n == p->n ? r : r >= d->baseline];
	return CP_OK;
}

static void
by_numbers(struct cp_diff *d, double *norm)
{
	d->work = cp_run_alloc(d->run, d->n_runs * sizeof(*d->work));
	for (uint32_t r = 0; r < d->n_runs; r++)
		d->work[r] = norm[r] = d->profiles.all[r].work;
}

/*
 * Takes the cost of a function as the norm; being sampled, it has a variance.
 */
static int
by_function(struct cp_diff *d, double *norm, double *variance)
{
	const char *name = d->per + strlen(FUNCTION);

	for (uint32_t r = 0; r < d->n_runs; r++) {
		double weight = 0, sq = 0;

		for (uint32_t s = 0; s < d->n_rows; s++) {
			struct cp_diff_cell *c =
			    &d->cell[(size_t)s * d->n_runs + r];

			if (strcmp(d->profiles.symbol[s].name, name) != 0)
				continue;
			weight += c->weight;
			sq += c->weight_sq * fmax(1, c->dispersion);
		}
		if (!(weight > 0)) {
			cp_run_diag(d->run, CP_D_USAGE,
			    "%.200s has no samples in `%.100s' (--per)",
			    d->profiles.all[r].name, name);
			return CP_FAIL;
		}
		norm[r] = weight;
		variance[r] = sq / (weight * weight);
	}
	return CP_OK;
}

static int
by_median(struct cp_diff *d, double *norm, double *variance)
{
	void *scratch = cp_run_alloc(d->run, CP_HOLM_SCRATCH(d->n_rows));

	norm[0] = 1;
	for (uint32_t r = 1; r < d->n_runs; r++)
		norm[r] = cp_diff_scale(&d->cell[0], &d->cell[r], d->n_rows,
		    d->n_runs, d->noise, &variance[r], scratch);
	return CP_OK;
}

/* Computes what runs are divided by for a unit, relative to the first run. */
static int
norms(struct cp_diff *d, enum cp_diff_unit unit, double *norm, double *variance)
{
	double first;
	int status = CP_OK;

	for (uint32_t r = 0; r < d->n_runs; r++)
		norm[r] = unit == CP_DIFF_CPU || unit == CP_DIFF_SAMPLES
			      ? d->profiles.all[r].weight
			  : unit == CP_DIFF_RUN ? d->profiles.all[r].covers.runs
						: 1;
	if (unit == CP_DIFF_TIME)
		status = by_time(d, norm);
	else if (unit == CP_DIFF_NUMBERS)
		by_numbers(d, norm);
	else if (unit == CP_DIFF_FUNCTION)
		status = by_function(d, norm, variance);
	else if (unit == CP_DIFF_MEDIAN)
		status = by_median(d, norm, variance);
	first = norm[0] > 0 ? norm[0] : 1;
	for (uint32_t r = 0; r < d->n_runs; r++)
		norm[r] = norm[r] > 0 ? norm[r] / first : 1;
	return status;
}

/* Returns the variance of log(after / before) of the norms. */
static double
variance_of(const struct cp_diff *d, const double *variance)
{
	double sum = 0;

	for (uint32_t r = 0; r < d->n_runs; r++) {
		double k = r < d->runs.before ? d->runs.before : d->runs.after;

		sum += variance[r] / (k * k);
	}
	return sum;
}

int
cp_diff_norms(struct cp_diff *d)
{
	size_t size = d->n_runs * sizeof(double);
	double *norm = cp_run_alloc(d->run, size);
	double *whole = cp_run_alloc(d->run, size);
	double *variance = cp_run_alloc(d->run, size);

	if (d->unit == CP_DIFF_DEFAULT)
		d->unit = usual(d);
	/* The sum of shares is always 1, so it cannot be compared. */
	d->whole_unit = d->unit == CP_DIFF_CPU || d->unit == CP_DIFF_SAMPLES ||
				d->unit == CP_DIFF_MEDIAN
			    ? usual(d)
			    : d->unit;
	if (norms(d, d->unit, norm, variance) != CP_OK)
		return CP_FAIL;
	d->norm_var = variance;
	d->runs.norm = norm;
	d->runs.norm_var = variance_of(d, variance);
	d->whole_runs = d->runs;
	if (d->whole_unit == d->unit)
		return CP_OK;
	d->whole_runs.norm = whole;
	d->whole_runs.norm_var = 0;
	return norms(d, d->whole_unit, whole, cp_run_alloc(d->run, size));
}
