/* SPDX-License-Identifier: MIT */
/* windows: which bins are slow, and blocks of the others. */
#include "analyses/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/options.h"
#include "analyses/timeline/changepoints.h"

#define MOST_WINDOWS (UINT32_C(1) << 20)
#define BLOCKS 20u   /* at least, to tell how much they differ */
#define SERIES 600u  /* bins of the series in which changes are looked for */
#define CHANGES 32u  /* found at most */
#define DIFFERS 1.15 /* from the usual rate, to be called slow */

int
cp_explain_slow_parse(struct cp_explain *e)
{
	const char *slow = cp_run_option(e->run, "slow"), *at;
	char *end;

	if (slow == NULL)
		return CP_OK;
	at = strrchr(slow, '>');
	if (at != NULL && strncmp(slow, "runq>", 5) == 0) {
		e->by = CP_SLOW_RUNQ;
		e->least = strtod(at + 1, &end);
		if (at[1] >= '0' && at[1] <= '9' && *end == '\0')
			return CP_OK;
	} else if (at != NULL) {
		size_t n = (size_t)(at - slow);
		char *name = cp_run_alloc(e->run, n + 1);

		memcpy(name, slow, n);
		e->by = strcmp(name, "wait") == 0 ? CP_SLOW_WAIT : CP_SLOW_PAIR;
		e->recipe = name + 5;
		e->least = (double)cp_parse_duration(at + 1);
		if (e->least > 0 &&
		    (e->by == CP_SLOW_WAIT ||
			(n > 5 && strncmp(name, "pair:", 5) == 0)))
			return CP_OK;
	}
	cp_run_diag(e->run, CP_D_USAGE,
	    "bad value `%.60s' of --slow: wait>50ms, runq>8 or "
	    "pair:NAME>10ms",
	    slow);
	return CP_FAIL;
}

void
cp_explain_window_add(struct cp_explain *e, uint64_t start, uint64_t end)
{
	if (e->n_windows >= MOST_WINDOWS || end <= start ||
	    e->origin == CP_NO_TIME)
		return;
	cp_grow_to(e->run, e->window, &e->window_cap, e->n_windows);
	e->window[e->n_windows++] =
	    (struct cp_explain_window){ start > e->origin ? start - e->origin
							  : 0,
		    end > e->origin ? end - e->origin : 0 };
}

/* ------------------------------------------------------------------- marks */

/* Marks the bins that a window covers for half or more, and its middle. */
static void
mark(struct cp_explain *e, const struct cp_explain_window *w)
{
	uint64_t width = e->buckets.width, half = width / 2;
	uint64_t first = (w->start + half) / width;
	uint64_t last = (w->end + half) / width;
	uint64_t middle = (w->start + (w->end - w->start) / 2) / width;

	for (uint64_t i = first; i < last && i < e->n_bins; i++)
		if (e->block[i] != 0)
			e->block[i] = CP_EXPLAIN_SLOW;
	if (middle < e->n_bins && e->block[middle] != 0)
		e->block[middle] = CP_EXPLAIN_SLOW;
}

static void
mark_time(struct cp_explain *e)
{
	uint64_t width = e->buckets.width;

	for (uint32_t i = 0; i < e->n_bins; i++) {
		bool in = cp_run_keeps_time(
		    e->run, e->origin + i * width + width / 2);

		if (e->by == CP_SLOW_TIME && in)
			e->block[i] = CP_EXPLAIN_SLOW;
		else if (e->by != CP_SLOW_TIME && !in)
			e->block[i] = 0;
	}
}

static void
mark_queue(struct cp_explain *e)
{
	double least = e->least * (double)e->buckets.width;

	for (size_t i = 0; i < e->n_counted; i++) {
		const struct cp_tally_row *r = &e->counted[i];

		if (r->a >> 32 == CP_EXPLAIN_QUEUE && r->b < e->n_bins &&
		    (double)r->weight > least && e->block[r->b] != 0)
			e->block[r->b] = CP_EXPLAIN_SLOW;
	}
}

struct part {
	double rate;
	uint32_t from, to;
};

static int
compare_parts(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	return (a->rate > b->rate) - (a->rate < b->rate);
}

/* Marks the parts whose rate is not the usual one; false: there are none. */
static bool
mark_parts(struct cp_explain *e, struct part *part, size_t n, uint32_t all,
    uint32_t step)
{
	double usual = 0;
	uint32_t below = 0;
	bool any = false;

	qsort(part, n, sizeof(*part), compare_parts);
	for (size_t i = 0; i < n; i++) {
		below += part[i].to - part[i].from;
		usual = part[i].rate;
		if (2 * below >= all)
			break;
	}
	for (size_t i = 0; i < n; i++) {
		if (part[i].rate <= DIFFERS * usual &&
		    part[i].rate >= usual / DIFFERS)
			continue;
		any = true;
		for (uint32_t k = part[i].from * step;
		     k < part[i].to * step && k < e->n_bins; k++)
			if (e->block[k] != 0)
				e->block[k] = CP_EXPLAIN_SLOW;
	}
	return any;
}

/* Looks for times in which the rate of samples, or of work, is another. */
static bool
mark_changes(struct cp_explain *e)
{
	enum cp_explain_kind kind =
	    e->event != CP_NO_ID ? CP_EXPLAIN_ALL : CP_EXPLAIN_RAN;
	uint32_t step = e->n_bins / SERIES + 1, n = e->n_bins / step;
	double *count = cp_run_alloc(e->run, (n + (size_t)1) * sizeof(*count));
	double unit = kind == CP_EXPLAIN_ALL ? 1 : (double)e->buckets.width;
	struct cp_changepoint change[CHANGES];
	struct part part[CHANGES + 1];
	size_t n_changes;

	for (size_t i = 0; i < e->n_counted; i++) {
		const struct cp_tally_row *r = &e->counted[i];

		if (r->a >> 32 == (uint64_t)kind && r->b / step < n)
			count[r->b / step] += (double)r->weight / unit;
	}
	if (n < BLOCKS || !cp_changepoints_tell(count, n))
		return false;
	n_changes = cp_changepoints(e->run, count, n, CHANGES, change);
	for (size_t i = 0; i <= n_changes; i++) {
		part[i] = (struct part){ .from = i != 0 ? change[i - 1].at : 0,
			.to = i < n_changes ? change[i].at : n };
		for (uint32_t k = part[i].from; k < part[i].to; k++)
			part[i].rate += count[k];
		if (part[i].to > part[i].from)
			part[i].rate /= part[i].to - part[i].from;
	}
	return mark_parts(e, part, n_changes + 1, n, step);
}

/* ------------------------------------------------------------------ blocks */

static int
compare_lengths(const void *va, const void *vb)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;

	return (a > b) - (a < b);
}

/* The usual length of a slow window, in bins. */
static uint32_t
window_length(struct cp_explain *e)
{
	uint32_t *all =
	    cp_run_alloc(e->run, (e->n_bins + (size_t)1) * sizeof(*all));
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->n_bins; i++) {
		if (e->block[i] != CP_EXPLAIN_SLOW)
			continue;
		if (i == 0 || e->block[i - 1] != CP_EXPLAIN_SLOW)
			n++;
		all[n - 1]++;
	}
	qsort(all, n, sizeof(*all), compare_lengths);
	return n != 0 ? all[n / 2] : 0;
}

/* Normal time is cut into blocks as long as a window. */
static void
make_blocks(struct cp_explain *e)
{
	uint32_t length = window_length(e), in = 0;

	if ((double)length > e->normal_bins / BLOCKS)
		length = (uint32_t)(e->normal_bins / BLOCKS);
	length += length == 0;
	for (uint32_t i = 0; i < e->n_bins; i++) {
		if (e->block[i] == CP_EXPLAIN_SLOW || e->block[i] == 0)
			continue;
		if (in++ % length == 0)
			e->n_blocks++;
		e->block[i] = e->n_blocks;
	}
	/* The last one is shorter. */
	if (in % length != 0 && e->n_blocks > 1) {
		for (uint32_t i = 0; i < e->n_bins; i++)
			if (e->block[i] == e->n_blocks)
				e->block[i] = 0;
		e->n_blocks--;
		e->normal_bins -= in % length;
	}
}

const char *
cp_explain_windows(struct cp_explain *e)
{
	bool found = true;

	if (e->origin == CP_NO_TIME || e->last <= e->origin)
		return "the capture has nothing with a time";
	e->n_counted = cp_buckets_rows(&e->buckets, &e->counted);
	/* The last bin is not whole. */
	e->n_bins = (uint32_t)((e->last - e->origin) / e->buckets.width);
	e->block =
	    cp_run_alloc(e->run, (e->n_bins + (size_t)1) * sizeof(*e->block));
	for (uint32_t i = 0; i < e->n_bins; i++)
		e->block[i] = 1;
	mark_time(e);
	if (e->by == CP_SLOW_RUNQ)
		mark_queue(e);
	for (uint32_t i = 0; i < e->n_windows; i++)
		mark(e, &e->window[i]);
	if (e->by == CP_SLOW_FOUND)
		found = mark_changes(e);
	for (uint32_t i = 0; i < e->n_bins; i++) {
		e->slow_bins += e->block[i] == CP_EXPLAIN_SLOW;
		e->normal_bins += e->block[i] == 1;
	}
	if (!found)
		return "no window differs from the others in how much ran: "
		       "--time FROM,TO or --slow 'wait>50ms' give one";
	if (e->slow_bins == 0)
		return "nothing is slow by that measure";
	if (e->normal_bins < BLOCKS)
		return "too little of the capture is normal time to compare "
		       "with";
	make_blocks(e);
	return NULL;
}
