/* SPDX-License-Identifier: MIT */
/*
 * diff: what costs more or less than before, and whether chance explains it.
 *
 * Compares captures, or windows of one, as a whole, by symbol and by call path.
 * The first is "before", or as many as --baseline says; the others are "after".
 * Compared is the cost of a unit of work, as --per says: analyses/diff/unit.c.
 * statistics.h explains how chance is told from change.  Code in interrupts is
 * shown and not tested.  Compares one event.  Does not know causes: a function
 * that is called more often costs more, too.
 */
#include <coldperf/plugin.h>

#include <math.h>
#include <string.h>

#include "analyses/common/options.h"
#include "analyses/diff/diff.h"
#include "analyses/stat/compared.h"

#define MAX_CAPTURES 1000

static void
capture_begin(struct cp_diff *d)
{
	cp_tally_clear(d->stacks);
	cp_tally_clear(d->time);
	cp_diff_slices_clear(&d->slices);
}

static int
diff_begin(struct cp_run *run, void *state)
{
	struct cp_diff *d = state;

	d->run = run;
	d->baseline = cp_run_option_u64(run, "baseline");
	d->top = cp_run_option_u64(run, "top");
	d->noise = cp_run_option_double(run, "noise") / 100;
	d->alpha = cp_run_option_double(run, "alpha");
	d->min_share = cp_run_option_double(run, "min-share") / 100;
	d->gate = cp_run_option(run, "fail-over") != NULL;
	d->gate_paths = cp_run_option_bool(run, "paths");
	d->allow_undecided = cp_run_option_bool(run, "allow-undecided");
	d->fail_over = cp_run_option_double(run, "fail-over") / 100;
	d->gate_share = cp_run_option_double(run, "gate-share") / 100;
	cp_diff_profiles_init(&d->profiles, run);
	d->stacks = cp_tally_new(run);
	d->time = cp_tally_new(run);
	cp_diff_slices_init(&d->slices, run);
	capture_begin(d);
	if (!cp_option_within(run, "alpha", d->alpha, 1e-9, 0.5) ||
	    !cp_option_within(run, "noise", 100 * d->noise, 0, 1000) ||
	    !cp_option_within(run, "min-share", 100 * d->min_share, 0, 100) ||
	    !cp_option_within(run, "gate-share", 100 * d->gate_share, 0, 100) ||
	    !cp_option_within(run, "fail-over", 100 * d->fail_over, 0, 1e6))
		return CP_FAIL;
	if (cp_diff_waits_init(&d->waits, run) != CP_OK)
		return CP_FAIL;
	return cp_diff_unit_parse(d);
}

static int
diff_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_diff *d = state;
	uint64_t weight;

	if (!s->kept)
		return CP_OK;
	weight = cp_diff_weigh(d, s);
	cp_diff_time_add(d, s);
	cp_tally_add(d->stacks, s->event, s->stack, weight);
	cp_diff_slices_add(&d->slices, s, weight);
	return CP_OK;
}

/*
 * Returns the event of the captures before, or the one of its meaning, if it
 * counts.
 */
static uint32_t
same_event(struct cp_diff *d, const uint64_t *count)
{
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	uint32_t n = first != NULL ? cp_run_evsel_count(d->run) : 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t event = cp_run_event_of(d->run, i);

		if (count[event] != 0 && cp_run_keeps_event(d->run, i) &&
		    cp_diff_has_event(
			&d->profiles, first, cp_run_evsel(d->run, i)->name))
			return event;
	}
	return CP_NO_ID;
}

/* True if the same kinds of cores were watched as before. */
static bool
same_kinds(struct cp_diff *d, const struct cp_diff_profile *pr)
{
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	bool same = pr->samples == 0 || pr->n_events == first->n_events;

	for (uint32_t i = 0; same && i < pr->n_events; i++)
		same = cp_diff_has_event(
		    &d->profiles, first, d->profiles.text[pr->events[i]]);
	return same;
}

/* Returns the event that measures CPU time, of those that count. */
static uint32_t
main_event(const struct cp_diff *d, const uint64_t *count)
{
	uint32_t n = cp_run_evsel_count(d->run), best = CP_NO_ID;

	for (uint32_t e = 0; e < n; e++) {
		const struct cp_evsel *evsel = cp_run_evsel(d->run, e);

		if (count[e] != 0 && !evsel->dummy &&
		    (best == CP_NO_ID ||
			cp_event_before(evsel, count[e],
			    cp_run_evsel(d->run, best), count[best])))
			best = e;
	}
	return best;
}

/* Counts the samples of each event. */
static uint64_t *
count_events(const struct cp_diff *d)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(d->stacks, &rows);
	uint32_t events = cp_run_evsel_count(d->run);
	uint64_t *count = cp_run_alloc(d->run, (events + 1) * sizeof(*count));

	for (size_t i = 0; i < n; i++)
		count[rows[i].a] += rows[i].count;
	return count;
}

static uint32_t
choose_event(struct cp_diff *d, const uint64_t *count, bool *same)
{
	uint32_t event = same_event(d, count);

	*same = event != CP_NO_ID || cp_diff_first(&d->profiles) == NULL;
	return event != CP_NO_ID ? event : main_event(d, count);
}

/* Is one of two events without a name, so that it may be the other's? */
static bool
is_nameless(struct cp_diff *d, const struct cp_diff_profile *first,
    const struct cp_diff_profile *pr)
{
	const struct cp_diff_profile *of =
	    cp_diff_is_nameless(first->event) ? first : pr;

	if (pr->samples == 0 || !cp_diff_is_nameless(of->event))
		return false;
	if (d->nameless == NULL)
		d->nameless = of->name;
	return true;
}

static int
diff_capture(struct cp_run *run, void *state, uint32_t index)
{
	struct cp_diff *d = state;
	const uint64_t *count = count_events(d);
	bool same;
	uint32_t event = choose_event(d, count, &same);
	struct cp_diff_profile *pr;

	pr = cp_diff_profiles_add(&d->profiles, event, d->stacks);
	pr->same_event = same ? d->nameless != NULL || same_kinds(d, pr)
			      : is_nameless(d, cp_diff_first(&d->profiles), pr);
	pr->weight_unit = "";
	if (event != CP_NO_ID) {
		const char *unit = cp_diff_weight_unit(d, event);

		pr->weight_unit = cp_diff_copy(run, unit, strlen(unit));
	}
	cp_diff_time_read(d, pr, event);
	cp_diff_waits_read(&d->waits, &d->profiles, pr);
	cp_diff_slices_read(&d->slices, &d->profiles, pr, event);
	cp_grow_to(run, d->counted, &d->counted_cap, index);
	d->n_counted +=
	    cp_counts_take(run, &d->counted[index]) && pr->samples == 0;
	capture_begin(d);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

static int
enough(struct cp_diff *d)
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
	struct cp_diff *d = state;

	if (enough(d) != CP_OK)
		return CP_FAIL;
	if (d->n_counted == d->n_runs) {
		if (d->gate) {
			cp_run_diag(run, CP_D_USAGE,
			    "--fail-over judges samples, and these captures "
			    "have counts alone: they are compared without it");
			return CP_FAIL;
		}
		cp_counts_compare(
		    rep, d->counted, d->n_runs, (uint32_t)d->baseline);
		return CP_OK;
	}
	if (cp_diff_units_check(d) != CP_OK || cp_diff_work_read(d) != CP_OK ||
	    cp_diff_versions_parse(d) != CP_OK ||
	    cp_diff_versions_compare(d) != CP_OK || cp_diff_compare(d) != CP_OK)
		return CP_FAIL;
	cp_diff_show(d, rep);
	if (d->gate)
		cp_diff_gate(d, rep);
	return CP_OK;
}

static const struct cp_option diff_options[] = {
	{ "before", "CAPTURE...", NULL,
	    "these captures, or those of these folders, are before" },
	{ "after", "CAPTURE...", NULL, "and these are after" },
	{ "per", "WHAT", NULL,
	    "cost per run, time, cpu, samples, median, NUMBER,NUMBER or "
	    "function:NAME; default: run of a command, time of a window" },
	{ "baseline", "N", "1", "the first N captures are before" },
	{ "versions", NULL, NULL,
	    "each capture, or folder of captures, is a version: which of them "
	    "brought a change, and the last against the first" },
	{ "fail-over", "PERCENT", NULL,
	    "exit with 1 if something is up significantly, and by more than "
	    "PERCENT" },
	{ "gate-share", "PERCENT", "20",
	    "a gate that is passed excludes such a change of each function "
	    "with this share, too" },
	{ "paths", NULL, NULL, "--fail-over holds for call paths, too" },
	{ "allow-undecided", NULL, NULL,
	    "--fail-over passes if one run each cannot decide" },
	{ "alpha", "P", "0.01",
	    "a change less probable by chance than P is significant" },
	{ "noise", "PERCENT", "4",
	    "how much runs differ, if there is only one on each side" },
	{ "min-share", "PERCENT", "0.1",
	    "test only functions with this share before or after" },
	{ "top", "N", "40", "show N rows of those tested, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(diff) = {
	.abi = CP_ABI,
	.name = "diff",
	.summary = "what costs more than before, and whether that is chance",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_ALL,
	.options = diff_options,
	.state_size = sizeof(struct cp_diff),
	.begin = diff_begin,
	.sample = diff_sample,
	.capture = diff_capture,
	.captures = MAX_CAPTURES,
	.finish = diff_finish,
};
