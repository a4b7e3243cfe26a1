/* SPDX-License-Identifier: MIT */
/*
 * diff: what weighs more or less than before, and whether that is chance.
 *
 * Compares captures, or windows of one, by symbol and by call path.  The
 * first is before, or as many as --baseline says; the others are after.  Runs
 * are made comparable as --per says: by default so that what most functions
 * used stays the same, for a function that got slower takes shares away from
 * all others.  diffstat.h says how chance is told from change; Holm's
 * correction makes it safe to ask about many functions at once.
 *
 * What runs in interrupts is shown and not tested.  Compares one event.  Knows
 * nothing of why: a function that is called more often weighs more, too.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/diff/each.h"
#include "analyses/diff/profile.h"
#include "analyses/diff/tree.h"
#include "analyses/common/label.h"

#define MAX_CAPTURES 1000
/* Slices of time in which a capture is compared with itself. */
#define SLICES 32u
/* Functions looked at that only one side has. */
#define MAX_LONELY 1000u
#define FIRST_SLICE (UINT64_C(1) << 26) /* ns */

enum per { PER_WORK, PER_TIME, PER_CPU, PER_SAMPLES, PER_NONE };

struct diff {
	struct cp_run *run;
	enum per per;
	uint64_t baseline, top;
	double noise, alpha, fail_over, min_share;
	bool gate;
	/* Of the capture at hand. */
	struct cp_tally *stacks; /* event, stack */
	struct cp_tally *slices; /* event << 32 | slice, frame */
	struct cp_tally *spare;
	uint64_t first, width;

	struct cp_diff_profiles profiles;
	/* Of finish(). */
	struct cp_diff_runs runs;
	uint32_t n_runs, n_rows;
	uint32_t inlined;              /* functions counted as their callers */
	struct cp_diff_cell *cell;     /* by symbol * n_runs + run */
	struct cp_diff_result *result; /* by symbol */
	double *interrupt; /* by symbol: weight in interrupts, all runs */
	double *weight;    /* by symbol, all runs */
	double *norm_var;  /* by run */
	struct row *row;
	struct cp_diff_questions each; /* of one before and many after */
	struct cp_diff_each answers;
};

struct row {
	double delta, weight;
	uint32_t symbol;
	bool significant;
};

static void
capture_begin(struct diff *d)
{
	cp_tally_clear(d->stacks);
	cp_tally_clear(d->slices);
	d->first = CP_NO_TIME;
	d->width = FIRST_SLICE;
}

static int
per_parse(struct diff *d)
{
	static const char *const word[] = { [PER_WORK] = "work",
		[PER_TIME] = "time",
		[PER_CPU] = "cpu",
		[PER_SAMPLES] = "samples",
		[PER_NONE] = "none" };
	const char *value = cp_run_option(d->run, "per");

	for (unsigned i = 0; i < sizeof(word) / sizeof(word[0]); i++)
		if (strcmp(value, word[i]) == 0) {
			d->per = (enum per)i;
			return CP_OK;
		}
	cp_run_diag(d->run, CP_D_USAGE,
	    "--per wants work, time, cpu, samples or none, not `%s'", value);
	return CP_FAIL;
}

static int
diff_begin(struct cp_run *run, void *state)
{
	struct diff *d = state;

	d->run = run;
	d->baseline = cp_run_option_u64(run, "baseline");
	d->top = cp_run_option_u64(run, "top");
	d->noise = cp_run_option_double(run, "noise") / 100;
	d->alpha = cp_run_option_double(run, "alpha");
	d->min_share = cp_run_option_double(run, "min-share") / 100;
	d->gate = cp_run_option(run, "fail-over") != NULL;
	d->fail_over = cp_run_option_double(run, "fail-over") / 100;
	cp_diff_profiles_init(&d->profiles, run);
	d->stacks = cp_tally_new(run);
	d->slices = cp_tally_new(run);
	d->spare = cp_tally_new(run);
	capture_begin(d);
	return per_parse(d);
}

/* Slices twice as wide. */
static void
slices_widen(struct diff *d)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(d->slices, &rows);
	struct cp_tally *wider = d->spare, *old = d->slices;

	for (size_t i = 0; i < n; i++)
		cp_tally_add(wider,
		    (rows[i].a & ~UINT64_C(0xffffffff)) |
			(uint32_t)rows[i].a / 2,
		    rows[i].b, rows[i].weight);
	cp_tally_clear(old);
	d->spare = old;
	d->slices = wider;
	d->width *= 2;
}

static int
diff_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct diff *d = state;
	uint64_t weight = d->per == PER_SAMPLES ? 1 : s->weight;
	uint64_t since = 0;

	if (s->time != CP_NO_TIME) {
		if (d->first == CP_NO_TIME)
			d->first = s->time;
		since = s->time > d->first ? s->time - d->first : 0;
	}
	while (since / d->width >= SLICES)
		slices_widen(d);
	cp_tally_add(d->stacks, s->evsel, s->stack, weight);
	cp_tally_add(d->slices, (uint64_t)s->evsel << 32 | since / d->width,
	    cp_stack_frame(run, s->stack), weight);
	return CP_OK;
}

/* That of the first capture if there is one, or the first with samples. */
static uint32_t
choose_event(const struct diff *d)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(d->stacks, &rows);
	uint32_t best = CP_NO_ID;

	for (size_t i = 0; i < n; i++) {
		uint32_t e = (uint32_t)rows[i].a;

		if (d->profiles.n != 0 && strcmp(cp_run_evsel(d->run, e)->name,
					      d->profiles.all[0].event) == 0)
			return e;
		if (!cp_run_evsel(d->run, e)->dummy && e < best)
			best = e;
	}
	return best;
}

static int
diff_capture(struct cp_run *run, void *state, uint32_t index)
{
	struct diff *d = state;

	cp_diff_profiles_add(&d->profiles, choose_event(d), d->stacks,
	    d->slices, d->first != CP_NO_TIME ? SLICES : 0);
	capture_begin(d);
	return CP_OK;
}

/* ----------------------------------------------------------------- numbers */

static void
fill_cells(struct diff *d)
{
	const struct cp_diff_profiles *p = &d->profiles;

	d->n_rows = p->keys.n;
	d->cell = cp_run_alloc(
	    d->run, ((size_t)d->n_rows + 1) * d->n_runs * sizeof(*d->cell));
	d->weight = cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->weight));
	d->interrupt =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->interrupt));
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *pr = &p->all[r];

		for (uint32_t i = 1; i < pr->n; i++) {
			uint32_t s = p->symbol[pr->symbol[i]].same;
			struct cp_diff_cell *c =
			    &d->cell[(size_t)s * d->n_runs + r];

			d->weight[s] += pr->self[i];
			if (pr->interrupted[i])
				d->interrupt[s] += pr->self[i];
			c->weight += pr->self[i];
			c->weight_sq += pr->self_sq[i];
			c->samples += pr->count[i];
			c->dispersion =
			    fmax(c->dispersion, pr->dispersion[pr->symbol[i]]);
		}
	}
}

/* What runs are divided by, relative to the first. */
static void
fill_norms(struct diff *d)
{
	const struct cp_diff_profile *p = d->profiles.all;
	double *norm = cp_run_alloc(d->run, d->n_runs * sizeof(*norm));
	double *norm_var = cp_run_alloc(d->run, d->n_runs * sizeof(*norm_var));
	void *scratch = cp_run_alloc(d->run, CP_DIFF_SCRATCH(d->n_rows));

	d->runs.norm_var = 0;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		double k = r < d->runs.before ? d->runs.before : d->runs.after;
		double variance = 0;

		norm[r] = 1;
		if (d->per == PER_WORK && r != 0)
			norm[r] = cp_diff_scale(&d->cell[0], &d->cell[r],
			    d->n_rows, d->n_runs, d->noise, &variance, scratch);
		else if (d->per == PER_TIME && p[0].duration > 0)
			norm[r] = p[r].duration / p[0].duration;
		else if (d->per == PER_CPU || d->per == PER_SAMPLES)
			norm[r] =
			    p[0].weight > 0 ? p[r].weight / p[0].weight : 1;
		if (!(norm[r] > 0))
			norm[r] = 1;
		d->runs.norm_var += variance / (k * k);
		norm_var[r] = variance;
	}
	d->runs.norm = norm;
	d->norm_var = norm_var;
}

/* What interrupts do is decided by the surroundings, not by the program. */
static bool
in_interrupts(const struct diff *d, uint32_t symbol)
{
	return d->interrupt[symbol] > d->weight[symbol] / 2;
}

/* The logarithm of after / before of a sum of two symbols; either may be 0. */
static double
log_change(const struct diff *d, uint32_t a, uint32_t b)
{
	double side[2] = { d->runs.unit / 2, d->runs.unit / 2 };

	for (uint32_t r = 0; r < d->n_runs; r++) {
		bool after = r >= d->runs.before;
		double k = after ? d->runs.after : d->runs.before;

		side[after] += (d->cell[(size_t)a * d->n_runs + r].weight +
				   d->cell[(size_t)b * d->n_runs + r].weight) /
			       d->runs.norm[r] / k;
	}
	return log(side[1] / side[0]);
}

/* Samples of a symbol on a side. */
static uint64_t
samples_of(const struct diff *d, uint32_t symbol, bool after)
{
	uint64_t n = 0;

	for (uint32_t r = after ? d->runs.before : 0;
	     r < (after ? d->n_runs : d->runs.before); r++)
		n += d->cell[(size_t)symbol * d->n_runs + r].samples;
	return n;
}

static void
absorb(struct diff *d, uint32_t symbol, uint32_t caller)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		struct cp_diff_cell *to =
		    &d->cell[(size_t)caller * d->n_runs + r];
		struct cp_diff_cell *c =
		    &d->cell[(size_t)symbol * d->n_runs + r];

		to->weight += c->weight;
		to->weight_sq += c->weight_sq;
		to->samples += c->samples;
		to->dispersion = fmax(to->dispersion, c->dispersion);
		*c = (struct cp_diff_cell){ 0 };
	}
	d->weight[caller] += d->weight[symbol];
	d->interrupt[caller] += d->interrupt[symbol];
	d->profiles.symbol[symbol].same = caller;
	d->profiles.symbol[symbol].inlined = true;
}

/* A function that one side has and the other has hardly. */
struct lonely {
	uint32_t symbol, caller; /* CP_NO_ID: it has several, or none */
	bool after;              /* the side that has it */
};

static bool
is_lonely(const struct diff *d, uint32_t symbol, bool *after)
{
	uint64_t a = samples_of(d, symbol, false);
	uint64_t b = samples_of(d, symbol, true);

	*after = b > a;
	return a + b >= 10 && (*after ? a < b / 50 + 1 : b < a / 50 + 1) &&
	       d->profiles.symbol[symbol].kind != CP_KIND_UNKNOWN &&
	       !in_interrupts(d, symbol);
}

static size_t
find_lonely(struct diff *d, struct lonely *out)
{
	double *scratch =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*scratch));
	size_t n = 0;

	for (uint32_t s = 0; s < d->n_rows && n < MAX_LONELY; s++) {
		bool after;

		if (!is_lonely(d, s, &after))
			continue;
		out[n++] = (struct lonely){ .symbol = s,
			.after = after,
			.caller = cp_diff_caller(&d->profiles, s,
			    after ? d->runs.before : 0,
			    after ? d->n_runs : d->runs.before, scratch) };
	}
	return n;
}

/* Whether two functions together changed far less than each. */
static bool
belong(const struct diff *d, uint32_t a, uint32_t b)
{
	double both = fabs(log_change(d, a, b));

	return both < 0.3 && both < fabs(log_change(d, a, d->n_rows)) / 3 &&
	       both < fabs(log_change(d, b, d->n_rows)) / 3;
}

/* The other one that l is, by the same caller; or its caller; CP_NO_ID. */
static uint32_t
counterpart(const struct diff *d, const struct lonely *l,
    const struct lonely *all, size_t n)
{
	const struct cp_diff_symbol *symbol = d->profiles.symbol;

	if (l->caller == CP_NO_ID)
		return CP_NO_ID;
	if (strcmp(symbol[l->caller].object, symbol[l->symbol].object) == 0 &&
	    belong(d, l->symbol, l->caller))
		return l->caller;
	for (size_t i = 0; i < n; i++)
		if (all[i].after && all[i].caller == l->caller &&
		    symbol[all[i].symbol].kind == symbol[l->symbol].kind &&
		    !symbol[all[i].symbol].inlined &&
		    belong(d, l->symbol, all[i].symbol))
			return all[i].symbol;
	return CP_NO_ID;
}

/*
 * A function that is on one side only may have been inlined on the other: it
 * is, if its caller and it together changed far less than each alone.  Or it
 * is another function there, under the same caller: a function that keeps no
 * frame pointer hides its caller, and code that was torn apart has new names.
 */
static void
find_inlined(struct diff *d)
{
	struct lonely *lonely =
	    cp_run_alloc(d->run, MAX_LONELY * sizeof(*lonely));
	size_t n = find_lonely(d, lonely);

	for (size_t i = 0; i < n; i++) {
		struct lonely *l = &lonely[i];
		uint32_t other = CP_NO_ID;
		bool after;

		/* One that took another in is no longer. */
		if (is_lonely(d, l->symbol, &after))
			other = counterpart(d, l, lonely, l->after ? 0 : n);
		if (other == CP_NO_ID)
			continue;
		absorb(d, l->symbol, other);
		d->inlined++;
	}
}

static void
fill_runs(struct diff *d)
{
	struct cp_diff_runs *runs = &d->runs;
	double *total = cp_run_alloc(d->run, d->n_runs * sizeof(*total));
	double weight = 0, sq = 0;

	runs->before = (uint32_t)d->baseline;
	runs->after = d->n_runs - runs->before;
	runs->noise = d->noise;
	runs->total = total;
	for (uint32_t r = 0; r < d->n_runs; r++) {
		total[r] = d->profiles.all[r].weight;
		weight += total[r];
		sq += d->profiles.all[r].weight_sq;
	}
	runs->unit = weight > 0 ? sq / weight : 1;
}

static double
typical_dispersion(const struct diff *d)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < (size_t)d->n_rows * d->n_runs; i++) {
		if (d->cell[i].samples < 20)
			continue;
		sum += d->cell[i].dispersion * d->cell[i].weight;
		weight += d->cell[i].weight;
	}
	return weight > 0 ? sum / weight : 1;
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	double da = fabs(a->delta), db = fabs(b->delta);

	if (a->significant != b->significant)
		return a->significant ? -1 : 1;
	if (da < db || da > db)
		return da > db ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* Tests every symbol. */
static void
test_rows(struct diff *d, double all_before, double all_after)
{
	double *p = cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*p));

	d->result = cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->result));
	d->row = cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*d->row));
	for (uint32_t s = 0; s < d->n_rows; s++) {
		struct cp_diff_result *r = &d->result[s];

		*r = cp_diff_test(&d->runs, &d->cell[(size_t)s * d->n_runs]);
		p[s] = !in_interrupts(d, s) &&
			       (r->before >= d->min_share * all_before ||
				   r->after >= d->min_share * all_after)
			   ? r->p
			   : NAN;
	}
	cp_diff_holm(
	    p, d->n_rows, cp_run_alloc(d->run, CP_DIFF_SCRATCH(d->n_rows)));
	for (uint32_t s = 0; s < d->n_rows; s++) {
		d->result[s].p = p[s];
		d->row[s] = (struct row){ .delta = d->result[s].after -
						   d->result[s].before,
			.weight = d->result[s].before,
			.symbol = s,
			.significant = p[s] < d->alpha };
	}
	qsort(d->row, d->n_rows, sizeof(*d->row), compare_rows);
}

/* One before: the captures after need not be runs of the same. */
static void
test_each(struct diff *d)
{
	bool *skip = cp_run_alloc(d->run, d->n_rows + 1);

	if (d->runs.before != 1 || d->runs.after < 2)
		return;
	for (uint32_t s = 0; s < d->n_rows; s++)
		skip[s] = in_interrupts(d, s);
	d->each = (struct cp_diff_questions){ .profiles = &d->profiles,
		.runs = &d->runs,
		.cell = d->cell,
		.norm_var = d->norm_var,
		.skip = skip,
		.n_rows = d->n_rows,
		.min_share = d->min_share,
		.alpha = d->alpha };
	cp_diff_each_test(&d->answers, d->run, &d->each);
}

/* ------------------------------------------------------------------ report */

static const char *
verdict(const struct diff *d, uint32_t symbol)
{
	const struct cp_diff_result *r = &d->result[symbol];

	if (in_interrupts(d, symbol))
		return "interrupts";
	if (isnan(r->p))
		return "too few";
	return r->p < d->alpha ? cp_diff_direction(r) : "";
}

static void
row_show(const struct diff *d, struct cp_table *t, uint32_t s, double all)
{
	const struct cp_diff_result *r = &d->result[s];

	cp_table_row(t);
	cp_table_text(t, verdict(d, s));
	cp_table_value(t, r->change, r->lo, r->hi);
	cp_table_value(t, r->p, 1, 0);
	cp_table_value(t, all > 0 ? r->before / all : 0, 1, 0);
	cp_table_value(t, all > 0 ? r->after / all : 0, 1, 0);
	cp_table_u64(t, r->samples_before);
	cp_table_u64(t, r->samples_after);
	cp_table_text(t, d->profiles.symbol[s].object);
	cp_table_text(t, d->profiles.symbol[s].name);
}

static void
show_rows(const struct diff *d, struct cp_report *rep, double all)
{
	struct cp_table *t = cp_report_table(
	    rep, "diff", "Change by symbol; shares are of everything before");
	uint64_t shown = 0, hidden = 0;

	cp_table_column(t, "Found", CP_COL_TEXT);
	cp_table_column(t, "Change", CP_COL_CHANGE);
	cp_table_column(t, "p", CP_COL_CHANCE);
	cp_table_column(t, "Before", CP_COL_SHARE);
	cp_table_column(t, "After", CP_COL_SHARE);
	cp_table_column(t, "Samples before", CP_COL_COUNT);
	cp_table_column(t, "Samples after", CP_COL_COUNT);
	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "Symbol", CP_COL_TEXT);
	for (uint32_t i = 0; i < d->n_rows; i++) {
		const struct row *row = &d->row[i];
		const struct cp_diff_result *r = &d->result[row->symbol];

		if (r->samples_before + r->samples_after == 0)
			continue;
		if (d->top != 0 && !row->significant &&
		    (shown == d->top || isnan(r->p))) {
			hidden++;
			continue;
		}
		row_show(d, t, row->symbol, all);
		shown++;
	}
	if (hidden != 0)
		cp_table_rest(t, hidden, 0);
}

static void
show_captures(const struct diff *d, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "captures", "What was compared");

	cp_table_column(t, "Side", CP_COL_TEXT);
	cp_table_column(t, "Samples", CP_COL_COUNT);
	cp_table_column(t, "Weight", CP_COL_WEIGHT);
	cp_table_column(t, "Duration", CP_COL_TIME);
	cp_table_column(t, "Divided by", CP_COL_RATE);
	cp_table_column(t, "Event", CP_COL_TEXT);
	cp_table_column(t, "Capture", CP_COL_TEXT);
	for (uint32_t r = 0; r < d->n_runs; r++) {
		const struct cp_diff_profile *p = &d->profiles.all[r];

		cp_table_row(t);
		cp_table_text(t, r < d->runs.before ? "before" : "after");
		cp_table_u64(t, p->samples);
		cp_table_u64(t, (uint64_t)p->weight);
		cp_table_u64(t, (uint64_t)(p->duration * 1e9));
		cp_table_value(t, d->runs.norm[r], 1, 0);
		cp_table_text(t, p->event);
		cp_table_text(t, p->name);
	}
}

static void
show_notes(const struct diff *d, struct cp_report *rep)
{
	static const char *const per[] = {
		[PER_WORK] = ("Runs are scaled so that most functions stay "
			      "the same."),
		[PER_TIME] = "Weights are per second of the capture.",
		[PER_CPU] = "Weights are shares of all that was used.",
		[PER_SAMPLES] = "Weights are shares of the samples.",
		[PER_NONE] = "Weights are compared as they were recorded.",
	};
	uint32_t tested = 0, found = 0;

	for (uint32_t s = 0; s < d->n_rows; s++) {
		tested += !isnan(d->result[s].p);
		found += d->result[s].p < d->alpha;
	}
	cp_report_note(rep,
	    "%" PRIu32 " of %" PRIu32 " symbols tested have changed (p below "
	    "%g after Holm's correction).",
	    found, tested, d->alpha);
	cp_report_note(rep, "%s", per[d->per]);
	if (d->answers.tested != 0)
		cp_report_note(rep,
		    "The %" PRIu32 " captures after are taken together, as "
		    "runs of the same; each by itself, %zu of %zu comparisons "
		    "found a change.",
		    d->runs.after, d->answers.n, d->answers.tested);
	if (d->n_runs == 2)
		cp_report_note(rep,
		    "One run on each side does not show how "
		    "much runs differ: %g %% (--noise) is assumed.  More "
		    "runs find smaller changes.",
		    d->noise * 100);
	if (d->inlined != 0)
		cp_report_note(rep,
		    "%" PRIu32 " function%s that only one side has, inlined or "
		    "renamed on the other, count%s as what is there.",
		    d->inlined, cp_word_s(d->inlined),
		    d->inlined == 1 ? "s" : "");
	for (uint32_t r = 1; r < d->n_runs; r++)
		if (strcmp(d->profiles.all[r].event,
			d->profiles.all[0].event) != 0)
			cp_report_note(rep,
			    "Different events are compared: "
			    "%.100s and %.100s.",
			    d->profiles.all[0].event, d->profiles.all[r].event);
}

/* ------------------------------------------------------------------- gate */

/* What a single capture has that the others have not is a regression, too. */
static void
gate_each(const struct diff *d)
{
	for (size_t i = 0; i < d->answers.n; i++) {
		const struct cp_diff_answer *a = &d->answers.found[i];

		if (a->result.change <= d->fail_over)
			continue;
		cp_run_fail(d->run, "%.200s alone: %.200s %+.1f %%",
		    d->profiles.all[a->run].name,
		    d->profiles.symbol[a->row].name, a->result.change * 100);
		return;
	}
}

static void
gate(const struct diff *d, const struct cp_diff_result *all)
{
	uint32_t n = 0, first = CP_NO_ID;

	for (uint32_t i = 0; i < d->n_rows && d->row[i].significant; i++) {
		uint32_t s = d->row[i].symbol;

		if (d->result[s].change <= d->fail_over)
			continue;
		if (n++ == 0)
			first = s;
	}
	if (n != 0)
		cp_run_fail(d->run,
		    "%" PRIu32 " symbol%s more than %g %% up, first "
		    "%.200s: from %.2f %% of all before to %.2f %%",
		    n, cp_word_s(n), d->fail_over * 100,
		    d->profiles.symbol[first].name,
		    d->result[first].before / all->before * 100,
		    d->result[first].after / all->before * 100);
	gate_each(d);
	if (d->per != PER_CPU && d->per != PER_SAMPLES && all->p < d->alpha &&
	    all->change > d->fail_over)
		cp_run_fail(
		    d->run, "everything together: %+.1f %%", all->change * 100);
}

static void
show_all(const struct diff *d, const struct cp_diff_result *all,
    struct cp_report *rep)
{
	if (d->per == PER_CPU || d->per == PER_SAMPLES)
		return;
	cp_report_note(rep,
	    "Everything together: %+.1f %% (%+.1f ... %+.1f %%).",
	    all->change * 100, all->lo * 100, all->hi * 100);
}

static int
enough(struct diff *d)
{
	d->n_runs = d->profiles.n;
	if (d->n_runs < 2 || d->baseline == 0 || d->baseline >= d->n_runs) {
		cp_run_diag(d->run, CP_D_USAGE,
		    "diff wants two captures at least, or two --time of one, "
		    "and --baseline fewer than all");
		return CP_FAIL;
	}
	return CP_OK;
}

static int
diff_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct diff *d = state;
	struct cp_diff_tree tree;

	if (enough(d) != CP_OK)
		return CP_FAIL;
	fill_runs(d);
	cp_diff_profiles_match(&d->profiles, d->runs.before);
	fill_cells(d);
	fill_norms(d);
	find_inlined(d);
	fill_norms(d);
	cp_diff_common(&d->runs, d->cell, d->n_rows, d->per == PER_WORK);
	cp_diff_tree_build(&tree, run, &d->profiles, typical_dispersion(d));
	cp_diff_tree_test(&tree, run, &d->runs, d->min_share);
	test_rows(d, tree.result[0].before, tree.result[0].after);
	test_each(d);
	show_rows(d, rep, tree.result[0].before);
	if (d->answers.tested != 0)
		cp_diff_each_table(&d->answers, &d->each, rep, d->top);
	cp_diff_tree_table(&tree, run, rep, d->alpha, d->top);
	show_captures(d, rep);
	cp_diff_tree_flames(&tree, run, &d->runs, rep);
	show_notes(d, rep);
	show_all(d, &tree.result[0], rep);
	if (d->gate)
		gate(d, &tree.result[0]);
	return CP_OK;
}

static const struct cp_option diff_options[] = {
	{ "per", "WHAT", "work",
	    "compare per unit of work, time, cpu, samples, or none" },
	{ "baseline", "N", "1", "so many of the captures are before" },
	{ "fail-over", "PERCENT", NULL,
	    "exit with 1 if something is significantly more than that up" },
	{ "alpha", "P", "0.01", "what is this improbable is no chance" },
	{ "noise", "PERCENT", "2",
	    "how much runs differ, where one run each cannot show it" },
	{ "min-share", "PERCENT", "0.1",
	    "test only what has this share before or after" },
	{ "top", "N", "40",
	    "show so many rows of those tested, 0: all there are" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(diff) = {
	.abi = CP_ABI,
	.name = "diff",
	.summary = "what weighs more than before, and whether that is chance",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES,
	.options = diff_options,
	.state_size = sizeof(struct diff),
	.begin = diff_begin,
	.sample = diff_sample,
	.capture = diff_capture,
	.captures = MAX_CAPTURES,
	.finish = diff_finish,
};
