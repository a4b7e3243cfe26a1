/* SPDX-License-Identifier: MIT */
/*
 * gate: --fail-over.
 *
 * Fails if something is worse than allowed, or if the comparison could not have
 * found it.  A change that one run on each side cannot decide neither fails nor
 * passes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/diff/diff.h"
#include "analyses/diff/tails.h"

/*
 * A gate that passes is worth something only if it would have found a change of
 * this many times the limit, or of this size.
 */
#define BLIND_TIMES 4
#define BLIND_LEAST 0.25

/* The reasons reported, joined by semicolons. */
struct reasons {
	char text[1000];
	size_t n;
};

static void CP_PRINTF(2, 0)
    write_on(struct reasons *r, const char *fmt, va_list ap)
{
	int n = vsnprintf(r->text + r->n, sizeof(r->text) - r->n, fmt, ap);

	if (n > 0)
		r->n += (size_t)n;
	if (r->n >= sizeof(r->text))
		r->n = sizeof(r->text) - 1;
}

/* Adds to the last reason. */
static void CP_PRINTF(2, 3) append(struct reasons *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_on(r, fmt, ap);
	va_end(ap);
}

static void CP_PRINTF(2, 3) add(struct reasons *r, const char *fmt, ...)
{
	va_list ap;

	if (r->n + 3 >= sizeof(r->text))
		return;
	if (r->n != 0) {
		memcpy(r->text + r->n, "; ", 3);
		r->n += 2;
	}
	va_start(ap, fmt);
	write_on(r, fmt, ap);
	va_end(ap);
}

/* A change as text: what is new has no percentage. */
struct percent {
	char text[32];
};

static struct percent
percent_of(double change)
{
	struct percent p;

	if (isfinite(change))
		snprintf(p.text, sizeof(p.text), "%+.1f %%", change * 100);
	else
		snprintf(p.text, sizeof(p.text), "new");
	return p;
}

static bool
is_over(const struct cp_diff *d, const struct cp_diff_result *r)
{
	return r->change > d->fail_over;
}

static void
gate_whole(const struct cp_diff *d, struct reasons *r, enum cp_diff_verdict v)
{
	const struct cp_diff_result *w = &d->whole;

	if (d->whole_verdict == v && is_over(d, w))
		add(r, "everything together: %s%s%s", cp_diff_change_of(w).text,
		    d->whole_unit == d->unit ? "" : ", by the ",
		    d->whole_unit == d->unit
			? ""
			: cp_diff_unit_name(d, d->whole_unit));
}

/* A command that waits longer is slower, whatever it costs. */
static void
gate_length(const struct cp_diff *d, struct reasons *r)
{
	struct cp_diff_length l = cp_diff_length(d);

	if (l.p < d->alpha && l.change > d->fail_over)
		add(r, "runs lasted %.4g s, before %.4g s: %+.1f %%", l.after,
		    l.before, l.change * 100);
}

/*
 * True if the row has that verdict for the gate.  A row that changed as much as
 * the whole counts as undecided: the whole has a verdict of its own.
 */
static bool
is_of(enum cp_diff_verdict is, enum cp_diff_verdict v)
{
	return is == v || (v == CP_DIFF_UNDECIDED && is == CP_DIFF_AS_WHOLE);
}

static void
gate_rows(const struct cp_diff *d, struct reasons *r, enum cp_diff_verdict v)
{
	uint32_t n = 0, first = CP_NO_ID;

	for (uint32_t i = 0; i < d->n_rows; i++) {
		uint32_t s = d->row[i].symbol;

		if (!is_of(d->row[i].verdict, v) || !is_over(d, &d->result[s]))
			continue;
		if (n++ == 0)
			first = s;
	}
	if (n == 0)
		return;
	add(r, "%" PRIu32 " symbol%s more than %g %% up, first %.200s: %s", n,
	    cp_word_s(n), d->fail_over * 100, d->profiles.symbol[first].name,
	    percent_of(d->result[first].change).text);
	/* What is new has no interval. */
	if (isfinite(d->result[first].change))
		append(r, " (%+.1f ... %+.1f %%)", d->result[first].lo * 100,
		    d->result[first].hi * 100);
}

/* A regression of a single capture against the one before counts, too. */
static void
gate_each(const struct cp_diff *d, struct reasons *r)
{
	for (size_t i = 0; i < d->answers.n; i++) {
		const struct cp_diff_answer *a = &d->answers.found[i];

		if (!is_over(d, &a->result))
			continue;
		add(r, "%.200s alone: %.200s %s", d->profiles.all[a->run].name,
		    d->profiles.symbol[a->row].name,
		    percent_of(a->result.change).text);
		return;
	}
}

static void
gate_paths(const struct cp_diff *d, struct reasons *r, enum cp_diff_verdict v)
{
	const struct cp_diff_tree *t = &d->tree;
	uint32_t n = 0, most = 0;

	for (uint32_t i = 1; i < t->n; i++) {
		const struct cp_diff_result *at = &t->result[i];

		if (!is_of(d->path[i], v) || !is_over(d, at))
			continue;
		n++;
		if (most == 0 ||
		    at->after - at->before >
			t->result[most].after - t->result[most].before)
			most = i;
	}
	if (n != 0)
		add(r,
		    "%" PRIu32 " call path%s more than %g %% up, most of all "
		    "%.300s: %s",
		    n, cp_word_s(n), d->fail_over * 100,
		    cp_diff_tree_path(t, d->run, most),
		    percent_of(t->result[most].change).text);
}

static const char *
missing(const struct cp_diff_profile *p)
{
	if (p->samples == 0)
		return "samples";
	return p->same_event ? "cost" : "event";
}

const char *
cp_diff_lacks(const struct cp_diff *d)
{
	const struct cp_diff_profile *p = d->profiles.all;
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	char text[1000];
	char *copy;

	for (uint32_t r = 0; r < d->n_runs; r++) {
		if (p[r].weight > 0 && p[r].same_event)
			continue;
		snprintf(text, sizeof(text), "%.600s (%s) has no %s%s%.200s",
		    p[r].name, r < d->runs.before ? "before" : "after",
		    missing(&p[r]),
		    first != NULL && &p[r] != first ? " of " : "",
		    first != NULL && &p[r] != first ? first->event : "");
		copy = cp_run_alloc(d->run, strlen(text) + 1);
		memcpy(copy, text, strlen(text) + 1);
		return copy;
	}
	return NULL;
}

/* Returns the largest change that a gate that passes may miss. */
static double
allowed_to_miss(const struct cp_diff *d)
{
	return fmax(BLIND_TIMES * d->fail_over, BLIND_LEAST);
}

/*
 * True if bursts, or differences between runs, hide what the samples would
 * show.
 */
static bool
is_blind(const struct cp_diff *d)
{
	double assumed = d->n_runs == 2 ? d->noise * sqrt(2) : 0;
	double w = d->whole.error * d->whole.error - assumed * assumed;

	return exp(cp_diff_t_quantile(d->alpha, d->whole.degrees) *
		   sqrt(fmax(w, 0))) -
		   1 >
	       allowed_to_miss(d);
}

static void
fail(const struct cp_diff *d, const struct reasons *r)
{
	cp_run_fail(d->run, "%s; it could have seen %+.1f %% of everything",
	    r->text, cp_diff_power(d, 1) * 100);
}

static void
undecided(const struct cp_diff *d)
{
	struct reasons r = { 0 };
	uint32_t wanted = cp_diff_runs_wanted(d);

	gate_whole(d, &r, CP_DIFF_UNDECIDED);
	gate_rows(d, &r, CP_DIFF_UNDECIDED);
	if (d->gate_paths)
		gate_paths(d, &r, CP_DIFF_UNDECIDED);
	if (r.n == 0 && is_blind(d)) {
		add(&r, "only %+.1f %% of everything would have been seen",
		    cp_diff_power(d, 1) * 100);
		wanted = d->n_runs / 2 + 2;
	}
	if (r.n == 0 && cp_diff_hidden(d) > allowed_to_miss(d)) {
		add(&r,
		    "more was lost after than before: everything together may "
		    "be %+.1f %%",
		    cp_diff_hidden(d) * 100);
		wanted = 2;
	}
	if (r.n == 0 || d->allow_undecided)
		return;
	cp_run_undecided(d->run, "%s; record %" PRIu32 " more of each", r.text,
	    wanted > 1 ? wanted - 1 : 1);
}

void
cp_diff_gate(const struct cp_diff *d)
{
	const char *lacks = cp_diff_lacks(d);
	struct reasons r = { 0 };

	if (lacks != NULL) {
		cp_run_fail(d->run, "nothing can be compared: %s", lacks);
		return;
	}
	gate_whole(d, &r, CP_DIFF_CHANGED);
	gate_length(d, &r);
	gate_rows(d, &r, CP_DIFF_CHANGED);
	gate_each(d, &r);
	if (d->gate_paths)
		gate_paths(d, &r, CP_DIFF_CHANGED);
	if (r.n == 0 && cp_diff_power_of_samples(d) > allowed_to_miss(d))
		add(&r,
		    "too few samples (%" PRIu64 " and %" PRIu64
		    "), record longer or more runs",
		    d->whole.samples_before, d->whole.samples_after);
	if (r.n != 0)
		fail(d, &r);
	else
		undecided(d);
}
