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
#include "analyses/common/chance.h"

/* What moved is the same, but for this part of it. */
#define MOVED 0.25
/* Nobody records more runs to be sure. */
#define MOST_RUNS 10

/* The reasons reported, joined by semicolons. */
struct reasons {
	char text[1000];
	size_t n;
};

static void CP_PRINTF(2, 3) add(struct reasons *r, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (r->n + 3 >= sizeof(r->text))
		return;
	if (r->n != 0) {
		memcpy(r->text + r->n, "; ", 3);
		r->n += 2;
	}
	va_start(ap, fmt);
	n = vsnprintf(r->text + r->n, sizeof(r->text) - r->n, fmt, ap);
	va_end(ap);
	r->n += n > 0 ? (size_t)n : 0;
	if (r->n >= sizeof(r->text))
		r->n = sizeof(r->text) - 1;
}

/*
 * True if it is up by more than allowed.  Cycles that a faster clock counts in
 * the same time are not.
 */
static bool
is_over(const struct cp_diff *d, const struct cp_diff_result *r)
{
	return (1 + r->change) / d->clock - 1 > d->fail_over;
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
gate_length(const struct cp_diff *d, struct reasons *r, enum cp_diff_verdict v)
{
	const struct cp_diff_total *t = cp_diff_total(d, "Elapsed");

	if (t != NULL && t->verdict == v && t->change > d->fail_over)
		add(r, "runs lasted %.4g s, before %.4g s: %+.1f %%%s",
		    t->after, t->before, t->change * 100,
		    v == CP_DIFF_UNDECIDED
			? ", which waits for a CPU may explain (record "
			  "context switches, perf record --switch-events)"
			: "");
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

		if (!is_of(d->row[i].verdict, v) ||
		    !is_over(d, &d->result[s]) || d->row[i].moved != CP_NO_ID)
			continue;
		if (n++ == 0)
			first = s;
	}
	if (n == 0)
		return;
	add(r, "%" PRIu32 " symbol%s more than %g %% up, first %.200s: %s", n,
	    cp_word_s(n), d->fail_over * 100, d->profiles.symbol[first].name,
	    cp_diff_change_of(&d->result[first]).text);
}

/*
 * Finds costs that moved from one function to another while everything together
 * is equal: each row that is up with the one that is down by about as much.
 */
void
cp_diff_moves(struct cp_diff *d)
{
	for (uint32_t i = 0; i < d->n_rows; i++)
		d->row[i].moved = CP_NO_ID;
	if (d->whole_verdict == CP_DIFF_CHANGED && d->whole.change > 0)
		return;
	for (uint32_t i = 0; i < d->n_rows; i++) {
		uint32_t best = CP_NO_ID;
		double left = MOVED * d->row[i].delta;

		if (d->row[i].verdict != CP_DIFF_CHANGED ||
		    !(d->row[i].delta > 0))
			continue;
		for (uint32_t k = 0; k < d->n_rows; k++) {
			double sum = fabs(d->row[i].delta + d->row[k].delta);

			if (d->row[k].moved != CP_NO_ID || sum > left ||
			    (d->row[k].verdict != CP_DIFF_CHANGED &&
				d->row[k].verdict != CP_DIFF_UNDECIDED))
				continue;
			left = sum;
			best = k;
		}
		if (best == CP_NO_ID)
			continue;
		d->row[i].moved = best;
		d->row[best].moved = i;
		cp_diff_remark(d,
		    "Cost moved from %.150s to %.150s; everything together is "
		    "%s.",
		    d->row[best].name, d->row[i].name,
		    d->whole_verdict == CP_DIFF_CHANGED ? "less"
							: "not found to "
							  "differ");
	}
}

/* A regression of a version against the one before it counts, too. */
static void
gate_steps(const struct cp_diff *d, struct reasons *r)
{
	const struct cp_diff_versions *v = &d->versions;

	for (size_t i = 0; i < v->n_steps; i++) {
		const struct cp_diff_step *s = &v->step[i];

		if (!is_over(d, &s->result))
			continue;
		add(r, "%.200s alone: %.200s %s", v->all[s->version].name,
		    s->symbol, cp_diff_change_of(&s->result).text);
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
		    cp_diff_change_of(&t->result[most]).text);
}

/*
 * Returns the growth that the result does not exclude: the upper limit of its
 * one-sided 95 % interval, n times as many runs on each side.
 */
static double
not_excluded(const struct cp_diff *d, const struct cp_diff_result *r,
    double change, double n)
{
	double degrees = r->degrees;

	if (n > 1 && degrees < CP_T_MANY)
		degrees += (n - 1) * d->n_runs;
	else if (n > 1)
		degrees = 2 * (n * d->n_runs / 2 - 1);
	return (1 + change) / d->clock *
		   exp(cp_t_quantile(0.1, degrees) * r->error / sqrt(n)) -
	       1;
}

/* What a pass does not exclude. */
struct blind {
	double most; /* the largest such growth */
	double runs; /* on each side that would exclude it */
	const char *name;
	bool sampling; /* that is why, more than what runs differ by */
};

static void
look(const struct cp_diff *d, const struct cp_diff_result *r, const char *name,
    struct blind *b)
{
	double k = d->n_runs / 2.0, n = 1,
	       most = not_excluded(d, r, r->change, 1);

	if (!isfinite(most) || most <= d->fail_over)
		return;
	/* What is near the limit by chance is as near as that next time. */
	while (n * k < MOST_RUNS &&
	       not_excluded(d, r, fmin(r->change, 0), n) > d->fail_over)
		n += 1 / k;
	if (b->name == NULL || most > b->most) {
		b->most = most;
		b->name = name;
		b->sampling =
		    2 * r->sampling * r->sampling > r->error * r->error;
	}
	b->runs = fmax(b->runs, ceil(n * k));
}

/*
 * A pass says that more than the limit is excluded, for everything together and
 * for each function of the share that was asked for.
 */
static struct blind
find_blind(const struct cp_diff *d)
{
	const struct cp_diff_result *all = &d->tree.result[0];
	struct blind b = { 0 };

	look(d, &d->whole, "everything together", &b);
	for (uint32_t i = 0; i < d->n_rows; i++) {
		const struct cp_diff_result *r = &d->result[d->row[i].symbol];

		if (d->row[i].moved == CP_NO_ID &&
		    (r->before >= d->gate_share * all->before ||
			r->after >= d->gate_share * all->after))
			look(d, r, d->row[i].name, &b);
	}
	return b;
}

/* JSON, Markdown and JUnit have the gate's verdict; the text is a diagnostic.
 */
static void
show_verdict(const struct cp_diff *d, struct cp_report *rep,
    const char *verdict, const char *reason)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Verdict"),
		CP_TEXT("Reason"), CP_TEXT("Limit") };
	struct cp_table *t =
	    cp_report_table(rep, "gate", "Gate", CP_COLUMNS(columns));
	char limit[32];

	(void)snprintf(limit, sizeof(limit), "%g %%", d->fail_over * 100);
	cp_table_data(t);
	cp_table_add(t, verdict, reason, limit);
}

static void
undecided(const struct cp_diff *d, struct cp_report *rep)
{
	struct reasons r = { 0 };
	struct blind b = find_blind(d);
	double hidden = cp_diff_hidden(d), wanted;
	bool advice = d->nameless == NULL || d->per != NULL;

	gate_whole(d, &r, CP_DIFF_UNDECIDED);
	gate_length(d, &r, CP_DIFF_UNDECIDED);
	gate_rows(d, &r, CP_DIFF_UNDECIDED);
	if (d->gate_paths && d->cut_off)
		add(&r, "call paths cannot be compared");
	else if (d->gate_paths)
		gate_paths(d, &r, CP_DIFF_UNDECIDED);
	if (r.n == 0 && d->nameless != NULL && d->per == NULL)
		add(&r,
		    "nothing is known of everything together: give the "
		    "capture that %.200s was made of",
		    d->nameless);
	wanted = r.n != 0 ? cp_diff_runs_wanted(d) : b.runs;
	if (r.n == 0 && hidden > d->fail_over &&
	    hidden > d->whole.change + 0.01)
		add(&r,
		    "more was lost after than before: everything together may "
		    "be %+.1f %%",
		    hidden * 100);
	else if (r.n == 0 && b.name != NULL)
		add(&r,
		    b.most < 1 ? "%s: up to %+.1f %% is not excluded"
			       : "%s: not even twice the cost is excluded",
		    b.name, b.most * 100);
	if (r.n == 0 || d->allow_undecided) {
		show_verdict(d, rep, "passed", r.text);
		return;
	}
	if (advice && wanted < MOST_RUNS)
		add(&r, "record %.0f more of each",
		    fmax(1, wanted - d->n_runs / 2));
	else if (advice && b.sampling)
		add(&r, "too few samples: record longer");
	else if (advice && d->n_runs == 2)
		add(&r, "record several more of each: they show how much runs "
			"differ");
	else if (advice)
		add(&r,
		    "runs differ too much by themselves: count instructions, "
		    "record both sides in turn, or on a quiet machine");
	cp_run_undecided(d->run, "%s", r.text);
	show_verdict(d, rep, "undecided", r.text);
}

void
cp_diff_gate(const struct cp_diff *d, struct cp_report *rep)
{
	const char *lacks = cp_diff_lacks(d);
	struct reasons r = { 0 };

	if (lacks != NULL) {
		cp_run_fail(d->run, "nothing can be compared: %s", lacks);
		show_verdict(d, rep, "failed", lacks);
		return;
	}
	gate_whole(d, &r, CP_DIFF_CHANGED);
	gate_length(d, &r, CP_DIFF_CHANGED);
	gate_rows(d, &r, CP_DIFF_CHANGED);
	gate_steps(d, &r);
	if (d->gate_paths && !d->cut_off)
		gate_paths(d, &r, CP_DIFF_CHANGED);
	if (r.n == 0) {
		undecided(d, rep);
		return;
	}
	cp_run_fail(d->run, "%s", r.text);
	show_verdict(d, rep, "failed", r.text);
}
