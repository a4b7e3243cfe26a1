/* SPDX-License-Identifier: MIT */
/*
 * show: the tables and notes of diff.  The result for everything together comes
 * first.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"
#include "analyses/diff/diff.h"

/*
 * Shows a share of its side, with the interval that this many effective samples
 * give.
 */
static void
share(struct cp_table *t, double part, double all, uint64_t samples)
{
	double value = all > 0 ? part / all : 0, lo = 1, hi = 0;

	if (all > 0 && value > 0 && value <= 1) {
		double n = floor((double)samples / value + 0.5);

		cp_interval((struct cp_mass){ samples, (double)samples },
		    (struct cp_whole){ .mass = { cp_diff_whole(n), n } }, &lo,
		    &hi);
	}
	cp_table_cells(t, cp_cell_value(value, lo, hi));
}

/* True if costs are times. */
static bool
are_times(const struct cp_diff *d)
{
	const struct cp_diff_profile *p = cp_diff_first(&d->profiles);

	return p != NULL && strcmp(p->weight_unit, "ns") == 0 &&
	       d->unit != CP_DIFF_SAMPLES &&
	       strcmp(cp_run_weight_name(d->run), "samples") != 0;
}

/* Is the row shown, after so many? */
static bool
is_shown(const struct cp_diff *d, const struct cp_diff_row *row, uint64_t shown)
{
	const struct cp_diff_result *r = &d->result[row->symbol];

	return d->top == 0 || row->verdict == CP_DIFF_CHANGED ||
	       (shown < d->top && !isnan(r->p));
}

static bool
has_samples(const struct cp_diff *d, const struct cp_diff_row *row)
{
	const struct cp_diff_result *r = &d->result[row->symbol];

	return r->samples_before + r->samples_after != 0;
}

/* Do two rows have one name, so that their objects tell them apart? */
static bool
named_twice(const struct cp_diff *d)
{
	bool *seen = cp_run_alloc(d->run, d->profiles.texts.n + 1);
	uint64_t shown = 0;

	for (uint32_t i = 0; i < d->n_rows; i++) {
		uint64_t name;

		if (!has_samples(d, &d->row[i]) ||
		    !is_shown(d, &d->row[i], shown))
			continue;
		name = d->profiles.keys.all[d->row[i].symbol].a;
		if (seen[name])
			return true;
		seen[name] = true;
		shown++;
	}
	return false;
}

static void
columns(const struct cp_diff *d, struct cp_table *t)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change") };
	enum cp_column_type cost = are_times(d) ? CP_COL_TIME : CP_COL_WEIGHT;

	cp_table_columns(t, CP_COLUMNS(columns));
	cp_diff_minor(t, "p", CP_COL_CHANCE);
	cp_table_columns(
	    t, CP_COLUMNS(((const struct cp_column_spec[]){
		   CP_COLUMN("Cost before", cost, 0, "cost_before"),
		   CP_COLUMN("Cost after", cost, 0, "cost_after") })));
	cp_diff_minor(t, "Before", CP_COL_SHARE);
	cp_diff_minor(t, "After", CP_COL_SHARE);
	cp_diff_minor(t, "Samples before", CP_COL_COUNT);
	cp_diff_minor(t, "Samples after", CP_COL_COUNT);
	if (named_twice(d))
		cp_table_column(t, CP_TEXT("Object"));
	else
		cp_diff_minor(t, "Object", CP_COL_TEXT);
	cp_table_column(t, CP_TEXT("Symbol"));
}

static void
numbers(const struct cp_diff *d, struct cp_table *t, enum cp_diff_verdict v,
    const struct cp_diff_result *r)
{
	cp_table_add(t, cp_diff_found(d, v, r),
	    cp_cell_value(r->change, r->lo, r->hi), r->p,
	    cp_diff_whole(r->before), cp_diff_whole(r->after));
}

/* Where functions are compared by another unit, its name tells its own. */
static void
whole_name(const struct cp_diff *d, struct cp_table *t)
{
	char name[100];

	snprintf(name, sizeof(name), "(everything together: %s)",
	    cp_diff_unit_name(d, d->whole_unit));
	cp_table_cells(
	    t, d->whole_unit == d->unit ? "(everything together)" : name);
}

static void
whole_row(const struct cp_diff *d, struct cp_table *t)
{
	const struct cp_diff_result *w = &d->whole;

	numbers(d, t, d->whole_verdict, w);
	cp_table_cells(t, (double)(w->samples_before != 0),
	    (double)(w->samples_after != 0), w->samples_before,
	    w->samples_after, "");
	whole_name(d, t);
}

static void
row_show(
    const struct cp_diff *d, struct cp_table *t, const struct cp_diff_row *row)
{
	const struct cp_diff_result *r = &d->result[row->symbol];
	const struct cp_diff_result *all = &d->tree.result[0];

	numbers(d, t, row->verdict, r);
	share(t, r->before, all->before, r->samples_before);
	share(t, r->after, all->after, r->samples_after);
	cp_table_cells(t, r->samples_before, r->samples_after,
	    d->profiles.symbol[row->symbol].object,
	    d->profiles.symbol[row->symbol].name);
}

static void
show_rows(const struct cp_diff *d, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(rep, "diff",
	    "Change of everything, and by symbol; shares are of their side",
	    NULL, 0);
	uint64_t shown = 0, hidden = 0;

	columns(d, t);
	whole_row(d, t);
	for (uint32_t i = 0; i < d->n_rows; i++) {
		const struct cp_diff_row *row = &d->row[i];

		if (!has_samples(d, row))
			continue;
		if (!is_shown(d, row, shown)) {
			hidden++;
			continue;
		}
		row_show(d, t, row);
		shown++;
	}
	if (hidden != 0)
		cp_table_rest(t, hidden, 0);
}

static void
show_pairs(const struct cp_diff *d, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Why"),
		CP_TEXT("Object"), CP_TEXT("Only on one side"),
		CP_TEXT("Counts as") };
	const struct cp_diff_symbol *symbol = d->profiles.symbol;
	struct cp_table *t;

	if (d->pairs == 0)
		return;
	t = cp_report_table(rep, "pairs",
	    "Functions of one side taken for those of the other",
	    CP_COLUMNS(columns));
	for (uint32_t i = 0; i < d->pairs; i++) {
		cp_table_add(t, d->pair[i].why, symbol[d->pair[i].gone].object,
		    symbol[d->pair[i].gone].name, symbol[d->pair[i].to].name);
	}
}

static void
show_capture(struct cp_table *t, const struct cp_diff_profile *p,
    const char *side, double norm)
{
	cp_table_add(t, side, p->samples, cp_diff_whole(p->weight),
	    cp_diff_whole(p->duration * 1e9), norm, p->event, p->name);
}

static void
show_captures(const struct cp_diff *d, struct cp_report *rep)
{
	enum cp_column_type weighs = are_times(d) ? CP_COL_TIME : CP_COL_WEIGHT;
	const struct cp_column_spec columns[] = { CP_TEXT("Side"),
		CP_COUNT("Samples"), CP_COLUMN("Weight", weighs, 0, "weight"),
		CP_TIME("Duration"), CP_RATE("Divided by"), CP_TEXT("Event"),
		CP_TEXT("Capture") };
	struct cp_table *t = cp_report_table(
	    rep, "captures", "What was compared", CP_COLUMNS(columns));
	const struct cp_diff_versions *v = &d->versions;

	for (uint32_t r = 0; r < d->runs.before; r++)
		show_capture(t, &d->profiles.all[r], "before", d->runs.norm[r]);
	if (v->asked)
		for (uint32_t r = v->all[1].first; r < v->all[v->n - 1].first;
		     r++)
			show_capture(t, &v->profiles[r], "between", 1);
	for (uint32_t r = d->runs.before; r < d->n_runs; r++)
		show_capture(t, &d->profiles.all[r], "after", d->runs.norm[r]);
}

/* ------------------------------------------------------------------- notes */

static const char *
why_unit(const struct cp_diff *d)
{
	if (d->per != NULL)
		return "as asked";
	if (d->unit == CP_DIFF_TIME)
		return "windows of time; --per changes that";
	for (uint32_t r = 0; r < d->n_runs; r++)
		if (d->profiles.all[r].covers.extent == CP_DIFF_UNKNOWN)
			return "it is not known whether commands ran to their "
			       "end; --per changes that";
	return "commands that ran to their end; --per changes that";
}

static void
note_whole(const struct cp_diff *d, struct cp_report *rep)
{
	if (d->nameless != NULL && d->per == NULL)
		cp_report_note(rep,
		    "%s names no event: shares of samples are compared, and "
		    "nothing is said of everything together.",
		    d->nameless);
	else
		cp_report_note(rep, "Everything together: %s, by the %s.",
		    cp_diff_change_of(&d->whole).text,
		    cp_diff_unit_name(d, d->whole_unit));
	if (fabs(d->alike) > 0)
		cp_report_note(rep,
		    "All functions changed by about the same factor (%+.1f %%):"
		    " a slower or faster machine or clock looks like this, "
		    "too.  Record both sides again, in turn; or count "
		    "instructions; or compare functions with one another "
		    "(--per median).",
		    d->alike * 100);
	cp_report_note(rep, "Compared is the %s (%s).",
	    cp_diff_unit_name(d, d->unit), why_unit(d));
}

static void
note_found(const struct cp_diff *d, struct cp_report *rep)
{
	uint32_t tested = 0, changed = 0, as_whole = 0;

	for (uint32_t i = 0; i < d->n_rows; i++) {
		tested += !isnan(d->result[i].p);
		changed += d->row[i].verdict == CP_DIFF_CHANGED;
		as_whole += d->row[i].verdict == CP_DIFF_AS_WHOLE;
	}
	cp_report_note(rep,
	    "%" PRIu32 " of %" PRIu32 " symbols tested have changed (p below "
	    "%g after Holm's correction).",
	    changed, tested, d->alpha);
	if (as_whole != 0)
		cp_report_note(rep,
		    "%" PRIu32 " of them changed as the whole did, and "
		    "%s not counted.",
		    as_whole, as_whole == 1 ? "is" : "are");
	if (d->versions.n != 0 && !d->versions.asked)
		cp_report_note(rep,
		    "The %" PRIu32 " captures after are taken together, as "
		    "runs of the same; each against the one before it, "
		    "%" PRIu32 " functions changed.  If they are versions, "
		    "give --versions.",
		    d->runs.after, d->versions.n_steps);
}

/* What one run each cannot tell, and what this comparison can. */
static void
note_power(const struct cp_diff *d, struct cp_report *rep)
{
	uint32_t wanted = cp_diff_runs_wanted(d);

	if (wanted != 0)
		cp_report_note(rep,
		    "%" PRIu32 " symbol%s%s not decidable from one run each: "
		    "record %" PRIu32 " more of each.",
		    d->undecided, cp_word_s(d->undecided),
		    d->whole_verdict == CP_DIFF_UNDECIDED
			? " and everything together are"
		    : d->undecided == 1 ? " is"
					: " are",
		    wanted - 1);
	if (d->n_runs == 2)
		cp_report_note(rep,
		    "One run on each side does not show how much runs differ: "
		    "%.3g %% (--noise) is assumed, and up to %.3g %% of a "
		    "function.  More runs find smaller changes.",
		    d->noise * 100, cp_diff_noise_of(&d->runs, 0) * 100);
	if (d->lacks == NULL && cp_diff_power(d, 1) < 1)
		cp_report_note(rep,
		    cp_diff_power(d, 0.2) < 1
			? "This comparison finds %+.1f %% of everything and "
			  "%+.1f %% of a function of 20 %% in 9 of 10 cases."
			: "This comparison finds %+.1f %% of everything in 9 "
			  "of 10 cases.",
		    cp_diff_power(d, 1) * 100, cp_diff_power(d, 0.2) * 100);
	else if (d->lacks == NULL)
		cp_report_note(rep,
		    "This comparison would not have found even twice the "
		    "cost.");
}

/* Shares of samples at two rates can be compared, but not their numbers. */
static void
note_rates(const struct cp_diff *d, struct cp_report *rep)
{
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	bool other = false;

	if (d->unit != CP_DIFF_SAMPLES &&
	    strcmp(cp_run_weight_name(d->run), "samples") != 0)
		return;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];

		other |= p->samples != 0 && p->same_event &&
			 (p->several_rates || p->rate != first->rate ||
			     p->by_frequency != first->by_frequency);
	}
	if (other)
		cp_report_note(rep,
		    "The captures were sampled at different rates: numbers of "
		    "samples, also of everything together, show the rates, "
		    "too.");
}

/* What costs do not show. */
static void
note_unseen(const struct cp_diff *d, struct cp_report *rep)
{
	const struct cp_diff_total *length = cp_diff_total(d, "Elapsed");
	double hidden = cp_diff_hidden(d);

	if (length->verdict == CP_DIFF_UNDECIDED)
		cp_report_note(rep,
		    "How long runs take depends on what else wants the CPU; "
		    "perf record --switch-events shows which waits were for "
		    "one.");
	if (d->clock < 1 || d->clock > 1)
		cp_report_note(rep,
		    "The clock ran at another frequency (%+.1f %%): cycles "
		    "changed by as much without costing time.",
		    (d->clock - 1) * 100);
	if (hidden > d->whole.change + 0.01 && isfinite(hidden))
		cp_report_note(rep,
		    "More was lost after than before: everything together may "
		    "be %+.1f %%.",
		    hidden * 100);
}

void
cp_diff_show(const struct cp_diff *d, struct cp_report *rep)
{
	cp_diff_totals_show(d, rep);
	if (d->versions.asked)
		cp_diff_versions_show(d, rep);
	show_rows(d, rep);
	if (!d->versions.asked)
		cp_diff_versions_show(d, rep);
	cp_diff_paths_show(d, rep);
	cp_diff_blocked_show(d, rep);
	show_pairs(d, rep);
	show_captures(d, rep);
	cp_diff_tree_flames(&d->tree, d->run, &d->runs, rep);
	for (uint32_t i = 0; i < d->n_remarks; i++)
		cp_report_note(rep, "%s", d->remark[i]);
	note_whole(d, rep);
	note_unseen(d, rep);
	note_found(d, rep);
	note_power(d, rep);
	note_rates(d, rep);
}
