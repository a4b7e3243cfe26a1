/* SPDX-License-Identifier: MIT */
/*
 * length: how long commands ran, and what the recorder lost of them.
 *
 * A command that waits twice as long costs no more in what was sampled, and one
 * of which half was lost seems to cost half: neither shows in the costs.
 */
#include <math.h>

#include "analyses/diff/diff.h"
#include "analyses/diff/tails.h"

/*
 * The standard deviation of the length of equal runs, in units of --noise, for
 * comparisons with one run on each side: other work makes a run wait.
 */
#define LENGTH_NOISE 2.5

/* Returns how long a run took; those of a sum followed each other. */
static double
length_of(const struct cp_diff_profile *p)
{
	return p->duration / p->covers.runs;
}

/* True if all captures are commands, or may be, with a known length. */
static bool
have_lengths(const struct cp_diff *d)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];

		if (p->covers.extent == CP_DIFF_WINDOW || !(p->duration > 0))
			return false;
	}
	return d->whole_unit == CP_DIFF_RUN;
}

/* Returns the variance of the difference of both means of logarithms. */
static double
variance_of(const struct cp_diff *d, const double mean[2])
{
	const struct cp_diff_profile *p = d->profiles.all;
	double least = d->noise * d->noise, sum = 0;

	if (d->n_runs == 2)
		return 2 * LENGTH_NOISE * LENGTH_NOISE * least;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		double off = log(length_of(&p[r])) - mean[r >= d->runs.before];

		sum += off * off;
	}
	return fmax(least, sum / (d->n_runs - 2)) *
	       (1.0 / d->runs.before + 1.0 / d->runs.after);
}

struct cp_diff_length
cp_diff_length(const struct cp_diff *d)
{
	struct cp_diff_length out = { .p = 1 };
	double mean[2] = { 0 }, score;

	if (!have_lengths(d))
		return out;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		bool after = r >= d->runs.before;

		mean[after] += log(length_of(&d->profiles.all[r])) /
			       (after ? d->runs.after : d->runs.before);
	}
	score = (mean[1] - mean[0]) / sqrt(variance_of(d, mean));
	out.before = exp(mean[0]);
	out.after = exp(mean[1]);
	out.change = out.after / out.before - 1;
	out.p = cp_diff_t_tail(
	    fabs(score), d->n_runs == 2 ? CP_DIFF_MANY : d->n_runs - 2);
	return out;
}

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
