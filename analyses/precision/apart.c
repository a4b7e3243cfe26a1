/* SPDX-License-Identifier: MIT */
#include "analyses/precision/apart.h"

#include <inttypes.h>
#include <math.h>

#include "analyses/common/event.h"
#include "analyses/common/label.h"

#define Z95 1.959963984540054 /* to find a difference at all */
#define Z90 1.281551565544600 /* to find it in nine of ten runs */
#define TOO_LONG 1000
#define MAX_TIME 0x1p63 /* ns; a damaged capture can have any length */

void
cp_apart_row(struct cp_apart *a, struct cp_mass part, struct cp_whole whole)
{
	if (a->n >= 2)
		return;
	a->part[a->n] = part;
	a->whole[a->n++] = whole;
}

static double
share(const struct cp_apart *a, unsigned i)
{
	return cp_share(
	    (double)a->part[i].weight, (double)a->whole[i].mass.weight);
}

/*
 * The difference d of two shares p and q of n samples, where no sample is in
 * both, has the variance (p + q - d^2) / n.  Returns the factor by which
 * samples must grow to find d in nine of ten runs; 1 or less: d is found
 * already.
 */
static double
times_longer(const struct cp_apart *a)
{
	double d = share(a, 0) - share(a, 1);
	double n = fmin(cp_effective(a->part[0], a->whole[0]),
	    cp_effective(a->part[1], a->whole[1]));
	double v = share(a, 0) + share(a, 1) - d * d;

	if (d <= 0 || n <= 0) /* equal rows need no note */
		return 1;
	if (n >= Z95 * Z95 * v / (d * d))
		return 1;
	return (Z95 + Z90) * (Z95 + Z90) * v / (d * d) / n;
}

static uint64_t
length_of(struct cp_run *run)
{
	const struct cp_quality *q = cp_run_quality(run);

	if (q->first_time == CP_NO_TIME || q->last_time < q->first_time)
		return 0;
	return q->last_time - q->first_time;
}

void
cp_apart_note(const struct cp_apart *a, struct cp_run *run, uint32_t event,
    struct cp_report *rep)
{
	double longer, length = (double)length_of(run);
	struct cp_word p, q, time;

	if (a->n < 2 || a->whole[0].complete)
		return;
	longer = times_longer(a);
	if (longer <= 1)
		return;
	cp_word_percent(&p, 100 * share(a, 0), 100);
	cp_word_percent(&q, 100 * share(a, 1), 100);
	if (longer > TOO_LONG || length <= 0 || length * longer > MAX_TIME)
		cp_report_note(rep,
		    "the first two rows of %.200s, %s and %s, cannot be told "
		    "apart: that takes %s %.0f times as many samples",
		    cp_event_name(run, event), p.text, q.text,
		    longer > TOO_LONG ? "more than" : "about",
		    fmin(longer, TOO_LONG));
	else
		cp_report_note(rep,
		    "the first two rows of %.200s, %s and %s, cannot be told "
		    "apart: to record %s of the same would do it (%.1f times "
		    "as long)",
		    cp_event_name(run, event), p.text, q.text,
		    cp_word_time(&time, (uint64_t)(length * longer)), longer);
}
