/* SPDX-License-Identifier: MIT */
/*
 * report: the overview, to be read at a glance.
 *
 * Findings, which passed a threshold (accounts/thresholds.def), come first, as
 * sentences.  Then: the modes of CPUs, the heaviest symbols each with the paths
 * that lead to it, the heaviest functions with their callees, the heaviest
 * threads, samples over time, cycles per instruction if both were counted, the
 * objects without symbols, and notes on losses, on balance and on time.  Shows
 * the event that measures CPU time; `hotspots` shows all, and more.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/causes/causes.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/losses.h"
#include "analyses/common/options.h"
#include "analyses/common/sample-groups.h"
#include "analyses/cpi/cpi.h"
#include "analyses/info/missing-files.h"
#include "analyses/precision/typical.h"
#include "analyses/report/report.h"
#include "analyses/stat/counts.h"

#define WANTS                                                                  \
	(CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES | CP_WANT_SPOTS |    \
	    CP_WANT_OVERVIEW)
#define CPI_SYMBOLS 5
#define SILENT_EVENTS 5
#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)

static int
report_begin(struct cp_run *run, void *state)
{
	struct cp_overview *r = state;

	r->run = run;
	if (cp_precision_init(&r->precision, run) != CP_OK)
		return CP_FAIL;
	r->top = cp_run_option_u64(run, "top");
	cp_groups_init(&r->events, run, 0, 0);
	cp_groups_init(&r->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	r->stacks = cp_tally_new(run);
	r->by_thread = cp_tally_new(run);
	r->by_cpu = cp_tally_new(run);
	r->left_out = cp_tally_new(run);
	r->cpi = cp_run_alloc(run, sizeof(*r->cpi));
	cp_cpi_init(r->cpi, run);
	r->cpi->brief = true;
	r->cpi->top = CPI_SYMBOLS;
	r->causes = cp_causes_new(run);
	r->others = cp_others_new(run);
	r->busy = cp_busy_new(run);
	r->modes = cp_modes_new(run);
	r->pauses.run = run;
	r->parallel =
	    (struct cp_parallel){ .run = run, .alone_at = cp_tally_new(run) };
	cp_run_wants(run, WANTS | cp_causes_wants(run) | cp_others_wants(run));
	return CP_OK;
}

static int
report_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cp_overview *r = state;
	uint32_t thread;

	cp_others_sample(r->others, s);
	if (s->cgroup != 0)
		cp_causes_group(r->causes, s);
	cp_tally_add(
	    s->kept ? r->by_cpu : r->left_out, s->event, s->cpu, s->weight);
	if (!s->kept)
		return CP_OK;
	cp_tally_add(
	    r->stacks, cp_groups_add(&r->events, s), s->stack, s->weight);
	thread = cp_groups_add(&r->threads, s);
	cp_tally_add(r->by_thread, thread, 0, s->weight);
	cp_precision_add(&r->precision, s, thread);
	cp_pauses_sample(&r->pauses, s);
	cp_sample_load_add(&r->load, s->time);
	/* Nothing is shown of what CPUs did by other events. */
	if (cp_event_measures_time(cp_run_evsel(run, s->event))) {
		cp_busy_sample(r->busy, s);
		cp_causes_sample(r->causes, s);
		cp_modes_sample(r->modes, s);
		cp_parallel_sample(&r->parallel, s);
	}
	cp_cpi_sample(r->cpi, s);
	return CP_OK;
}

static int
report_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct cp_overview *r = state;

	cp_causes_event(r->causes, e);
	cp_others_event(r->others, e);
	cp_pauses_event(&r->pauses, e);
	return CP_OK;
}

/* False if the event's samples are counted by another of its meaning. */
static bool
counts_itself(struct cp_run *run, uint32_t event)
{
	return cp_event_counts(run, event) &&
	       cp_run_event_of(run, event) == event;
}

/* Events that have samples, or that have none. */
static uint32_t
count_events(struct cp_overview *r, bool samples)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < cp_run_evsel_count(r->run); i++)
		n += counts_itself(r->run, i) &&
		     (cp_groups_total(&r->events, i).samples != 0) == samples;
	return n;
}

/* Shows a line for each event if there are several; few may have no samples. */
static bool
show_events(struct cp_overview *r, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Samples"),
		CP_WEIGHT("Weight"), CP_TEXT("Event") };
	bool silent = count_events(r, false) <= SILENT_EVENTS;
	struct cp_table *t;

	if (count_events(r, true) < 2)
		return false;
	t = cp_report_table(rep, "events", "Events", CP_COLUMNS(columns));
	for (uint32_t i = 0; i < cp_run_evsel_count(r->run); i++) {
		struct cp_total total = cp_groups_total(&r->events, i);

		if (!counts_itself(r->run, i) ||
		    (total.samples == 0 && !silent))
			continue;
		cp_table_add(
		    t, total.samples, total.weight, cp_event_name(r->run, i));
	}
	return true;
}

/* Notes samples without names, if the account has no note on them. */
static void
note_names(const struct cp_named *n, const struct cp_chain_ends *chains,
    struct cp_report *rep)
{
	struct cp_word word;

	if (n->trust[CP_TRUST_VERIFIED] != n->samples)
		return;
	if (chains->unnamed != 0)
		cp_report_note(rep,
		    "all samples have a symbol from a file whose build ID is "
		    "the recorded one; of their callers %s have none",
		    cp_word_percent(&word, (double)chains->unnamed,
			(double)chains->callers));
	else
		cp_report_note(rep,
		    "all samples have a symbol from a file whose build ID is "
		    "the recorded one%s",
		    chains->callers != 0 ? ", and so have their callers" : "");
}

/*
 * A tracepoint stands at one place in the code.  Without callers that place is
 * all that its samples tell.
 */
static bool
code_tells(const struct cp_evsel *e)
{
	return !e->tracepoint || (e->sample_type & SAMPLE_CALLCHAIN) != 0;
}

static bool
is_shown(const struct cp_tally_row *row, const void *overview)
{
	const struct cp_overview *r = overview;

	return r->events.all[row->a].v[CP_BY_EVENT] == r->event;
}

/* Judges the chains of the event shown. */
static struct cp_chain_ends
chain_ends(struct cp_overview *r, const struct cp_tally_row *rows, size_t n)
{
	struct cp_chain_ends c;

	cp_chain_ends_init(&c, r->run);
	for (size_t i = 0; i < n; i++)
		if (is_shown(&rows[i], r))
			cp_chain_ends_add(&c, r->event, &rows[i]);
	return c;
}

/*
 * The names of the event shown, by weight, as in the tables: those of
 * tracepoints beside it are the kernel's, and would hide what it lacks.
 */
static struct cp_named
names_wanted(struct cp_overview *r, const struct cp_tally_row *rows, size_t n)
{
	struct cp_named none = { 0 };
	struct cp_tally_row *heavy;

	if (r->event == CP_NO_ID || !code_tells(cp_run_evsel(r->run, r->event)))
		return none;
	heavy = cp_run_alloc(r->run, n * sizeof(*heavy));
	for (size_t i = 0; i < n; i++) {
		heavy[i] = rows[i];
		heavy[i].count = rows[i].weight;
	}
	none = cp_named_count(r->run, heavy, n, is_shown, r);
	cp_run_free(r->run, heavy, n * sizeof(*heavy));
	return none;
}

/* Samples that the filters removed are in the account. */
static void
note_no_samples(struct cp_run *run, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(run);
	struct cp_word word;

	if (cp_counts_sums(run, rep))
		return;
	if (q->samples == 0)
		cp_report_note(rep,
		    "the capture holds no samples (records of other kinds: "
		    "%s)",
		    cp_word_count(&word, q->records));
	else if (q->samples_kept != 0)
		cp_report_note(rep, "all samples are of a dummy event");
}

static struct cp_whole
function_whole(void *ctx, uint32_t entity)
{
	struct cp_overview *r = ctx;

	return cp_rows_precision_whole(
	    &r->sure, r->all, CP_NO_ID, entity, true);
}

/*
 * Shows the tables of other analyses, which come before notes.  With several
 * captures there are none, because each needs more than samples.
 */
static void
show_others(struct cp_overview *r, struct cp_accounts *a, struct cp_report *rep)
{
	bool explained = r->explained || cp_overview_lacks_cpus(r);

	if (cp_run_merged(r->run)) {
		cp_report_note(rep,
		    "captures are added up by their samples; waits, counters, "
		    "branches and the like are in the report of each");
		return;
	}
	cp_others_tell(r->others, a);
	cp_accounts_facts(a, rep);
	cp_others_events(r->others, r, rep);
	if (r->waits &&
	    cp_causes_cpu_waits(r->causes, explained ? NULL : a, rep))
		cp_overview_note_waits(r, rep);
	if (r->waits) {
		cp_causes_groups(r->causes, rep);
		cp_causes_show_waits(r->causes, rep);
	}
}

/* What the event's samples are, where it is not time. */
static void
note_event(struct cp_overview *r, bool several, struct cp_report *rep)
{
	const struct cp_evsel *e = cp_run_evsel(r->run, r->event);
	const char *name = cp_event_name(r->run, r->event);

	if (several && count_events(r, false) > SILENT_EVENTS)
		cp_report_note(rep,
		    "%" PRIu32 " more events were recorded and have no samples",
		    count_events(r, false));
	if (several)
		cp_report_note(rep,
		    "%s of %.200s; choose another event with --event",
		    code_tells(e) ? "symbols, functions and threads are"
				  : "threads are",
		    name);
	if (e->tracepoint)
		cp_report_note(rep,
		    "%.200s is a tracepoint: its stacks tell where it was "
		    "passed, not what took CPU time%s",
		    name,
		    code_tells(e) ? "" : " (coldperf hotspots shows them)");
}

/* Which code the event's samples are of; of few nothing is found. */
static void
show_code(struct cp_overview *r, struct cp_accounts *a)
{
	const struct cp_evsel *e = cp_run_evsel(r->run, r->event);
	bool time = cp_event_measures_time(e);

	a->took = time ? "took" : "has";
	/* The scheduler's events are passed in its own functions. */
	if (strncmp(e->name, "sched:", 6) == 0)
		return;
	if ((double)cp_groups_total(&r->events, r->event).samples <
	    cp_threshold(CP_T_FEW_SAMPLES)) {
		if (!e->tracepoint)
			cp_few_show(r, a);
		return;
	}
	if (time) {
		r->idle =
		    cp_run_alloc(r->run, r->entities.n * sizeof(*r->idle));
		cp_modes_idle(r->modes, r->event, &r->sums, r->idle);
	}
	cp_uneven_show(r, a);
	if (code_tells(e)) {
		cp_heavy_show(r, a);
		cp_families_show(r, a);
	}
	if (!e->tracepoint)
		cp_other_events_show(r, a);
	cp_recorded_show(r, time, a);
}

/* What CPUs did by the event's samples; those of few are no findings. */
static void
show_time(struct cp_overview *r, struct cp_accounts *a, struct cp_report *rep)
{
	uint64_t samples = cp_groups_total(&r->events, r->event).samples;
	bool few = (double)samples < cp_threshold(CP_T_FEW_SAMPLES);

	if (!cp_run_merged(r->run))
		cp_busy_show(r->busy, r->event, a);
	cp_modes_show(r->modes,
	    &(struct cp_modes_of){ r->event, r->all,
		cp_precision_view(&r->precision, r->event), &r->threads },
	    few ? NULL : a, rep);
}

static void
show_main_event(struct cp_overview *r, const struct cp_tally_row *rows,
    size_t n, struct cp_accounts *a, struct cp_report *rep)
{
	bool several;

	r->all = cp_groups_whole(&r->events, r->event);
	if (!r->all.complete)
		r->all.dispersion =
		    cp_precision_typical(&r->precision, r->event);
	cp_overview_sum(r);
	cp_rows_precision_init(
	    &r->sure, cp_precision_view(&r->precision, r->event), &r->sums);
	show_code(r, a);
	if (!cp_run_merged(r->run))
		cp_causes_rest(r->causes, r->event);
	several = show_events(r, rep);
	if (cp_event_measures_time(cp_run_evsel(r->run, r->event)))
		show_time(r, a, rep);
	if (code_tells(cp_run_evsel(r->run, r->event))) {
		cp_overview_symbols(r, rep);
		cp_downwards_show(&r->sums, r->all, function_whole, r, rep);
	}
	cp_overview_threads(r, rep);
	cp_sample_load_show(&r->load, rep);
	cp_unnamed_show(r->run, rows, n, rep);
	show_others(r, a, rep);
	if (!cp_run_merged(r->run) && cp_cpi_end(r->cpi)) {
		r->cpi->dispersion = r->all.dispersion;
		cp_cpi_show(r->cpi, rep);
		cp_cpi_note_throttled(r->cpi, rep);
	}
	note_event(r, several, rep);
}

/* Why it was slow comes before what was hot. */
static void
find_causes(struct cp_overview *r, struct cp_accounts *a, struct cp_report *rep)
{
	bool time = r->event != CP_NO_ID &&
		    cp_event_measures_time(cp_run_evsel(r->run, r->event));

	if (cp_run_merged(r->run))
		return;
	r->waits = cp_causes_waits(r->causes, rep);
	r->explained = cp_causes_find(r->causes,
	    &(struct cp_causes_of){ .event = time ? r->event : CP_NO_ID,
		.switches = r->waits,
		.all_cpus = !cp_overview_lacks_cpus(r) },
	    a, rep);
}

static int
report_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_overview *r = state;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->stacks, &rows);
	struct cp_accounts accounts;
	struct cp_chain_ends chains;
	struct cp_named named = { 0 }, wanted;

	if (cp_run_quality(run)->samples == 0) {
		note_no_samples(run, rep);
		cp_account_notes(run, &named, rep);
		return CP_OK;
	}
	accounts = cp_accounts_new(run, rep);
	cp_trust_input(run, &accounts);
	r->event = cp_groups_main_event(&r->events);
	/* All at once: each batch reads the kernel's names anew. */
	cp_rows_name(run, rows, n);
	find_causes(r, &accounts, rep);
	if (r->event != CP_NO_ID) {
		cp_report_event(rep, cp_event_name(run, r->event));
		show_main_event(r, rows, n, &accounts, rep);
		cp_overview_note_precision(r, rep);
		cp_sample_load_note(&r->load, run, rep);
		if (!cp_run_merged(run))
			cp_overview_note_cpus(r, rep);
	} else {
		cp_rows_name(run, rows, n);
		show_others(r, &accounts, rep);
		note_no_samples(run, rep);
	}
	named = cp_named_count(run, rows, n, NULL, NULL);
	chains = chain_ends(r, rows, n);
	wanted = names_wanted(r, rows, n);
	cp_trust_quality(run,
	    r->event != CP_NO_ID ? cp_event_name(run, r->event) : "the samples",
	    &r->pauses, &wanted, &chains, &accounts);
	cp_accounts_show(&accounts, rep);
	if (named.samples != 0)
		note_names(&named, &chains, rep);
	cp_account_notes(run, &named, rep);
	cp_chain_ends_note(&chains, rep);
	cp_precision_note(&r->precision, rep);
	if (cp_trust_lacks_names(&wanted) && !cp_run_merged(run))
		cp_lack_ways(run, rows, n, rep);
	if (!cp_run_merged(run))
		cp_others_missing(run, &accounts, r->waits, rep);
	return CP_OK;
}

static const struct cp_option report_options[] = {
	{ "top", "N", "10", "show the N heaviest symbols, 0: all" },
	CP_PRECISION_OPTION,
	{ "split-threads", NULL, NULL,
	    "threads of a pool (worker/0, worker/1 ...) each by itself" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(report) = {
	.abi = CP_ABI,
	.name = "report",
	.summary = "the overview: what is hot, who calls it, how far to "
		   "trust it",
	.wants = WANTS | CP_WANT_MERGED,
	.options = report_options,
	.state_size = sizeof(struct cp_overview),
	.begin = report_begin,
	.sample = report_sample,
	.event = report_event,
	.finish = report_finish,
};
