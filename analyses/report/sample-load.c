/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <math.h>
#include <stdio.h>

#include "analyses/common/label.h"
#include "analyses/common/slices.h"

/*
 * Slices of equal rates differ by chance: the largest and the smallest of a
 * hundred differ by about five standard deviations, each the square root of the
 * mean.
 */
#define BY_CHANCE 6
#define FIRST_WIDTH UINT64_C(1000000)

void
cp_sample_load_add(struct cp_sample_load *l, uint64_t time)
{
	uint64_t t;

	if (time == CP_NO_TIME)
		return;
	if (l->width == 0) {
		l->base = time;
		l->width = FIRST_WIDTH;
	}
	t = time > l->base ? time - l->base : 0;
	/* 2^63 ns are 292 years: no clock, and no width, goes beyond. */
	if (t >> 62 != 0)
		return;
	while (t / l->width >= CP_SLICES) {
		cp_slices_halve(l->slice, CP_SLICES);
		l->width *= 2;
	}
	l->slice[t / l->width]++;
	l->samples++;
	if (t > l->last)
		l->last = t;
}

/* A rate of a few per second is shown with a fraction. */
static void
word_rate(struct cp_word *w, double rate)
{
	if (rate < 10)
		(void)snprintf(w->text, sizeof(w->text), "%.1f", rate);
	else
		cp_word_count(w, (uint64_t)rate);
}

static bool
differ(const struct cp_sample_load *l, uint32_t n, uint64_t by)
{
	double mean = 0;

	for (uint32_t i = 0; i < n; i++)
		mean += (double)l->slice[i] / n;
	return (double)by > BY_CHANCE * sqrt(mean);
}

/* Writes when a slice begins, as --time counts it. */
static void
word_begin(struct cp_word *w, const struct cp_sample_load *l, uint32_t slice,
    const struct cp_run *run)
{
	uint64_t start = cp_run_start(run);

	if (start > l->base)
		start = l->base;
	cp_word_time(w, l->base - start + slice * l->width);
}

void
cp_sample_load_note(const struct cp_sample_load *l, const struct cp_run *run,
    struct cp_report *rep)
{
	uint32_t n, low = 0, high = 0;
	struct cp_word span, mean, lo, hi, at_lo, at_hi;
	double per_second;

	if (l->width == 0 || l->last == 0)
		return;
	/* The last slice is not full, so it is left out. */
	n = (uint32_t)(l->last / l->width);
	for (uint32_t i = 1; i < n; i++) {
		if (l->slice[i] < l->slice[low])
			low = i;
		if (l->slice[i] > l->slice[high])
			high = i;
	}
	per_second = 1e9 / (double)l->width;
	cp_word_time(&span, l->last);
	word_rate(&mean, (double)l->samples * 1e9 / (double)l->last);
	if (n < 2 || !differ(l, n, l->slice[high] - l->slice[low])) {
		cp_report_note(
		    rep, "%s samples a second over %s", mean.text, span.text);
		return;
	}
	cp_word_count(&hi, (uint64_t)((double)l->slice[high] * per_second));
	cp_word_count(&lo, (uint64_t)((double)l->slice[low] * per_second));
	word_begin(&at_hi, l, high, run);
	word_begin(&at_lo, l, low, run);
	cp_report_note(rep,
	    "%s samples a second over %s; most, %s, at +%s; fewest, %s, at +%s",
	    mean.text, span.text, hi.text, at_hi.text, lo.text, at_lo.text);
}

void
cp_sample_load_show(const struct cp_sample_load *l, struct cp_report *rep)
{
	struct cp_lanes *lanes;
	uint32_t kind, lane, n;
	uint64_t most = 0;

	if (l->width == 0 || l->last < l->width)
		return;
	n = (uint32_t)(l->last / l->width) + 1;
	for (uint32_t i = 0; i < n; i++)
		if (l->slice[i] > most)
			most = l->slice[i];
	lanes = cp_report_lanes(rep, "timeline", "Samples over time");
	kind = cp_lanes_kind(lanes, "samples", CP_TONE_RUN);
	lane = cp_lanes_lane(lanes, "all");
	for (uint32_t i = 0; i < n; i++) {
		uint64_t start = l->base + i * l->width;
		bool last = i + 1 == n;

		if (l->slice[i] == 0)
			continue;
		cp_lanes_span(lanes, lane, kind, start,
		    last ? l->base + l->last + 1 : start + l->width, NULL);
		cp_lanes_level(lanes, (double)l->slice[i] / (double)most);
	}
}
