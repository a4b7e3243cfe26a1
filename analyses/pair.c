/* SPDX-License-Identifier: MIT */
/*
 * pair: how long something took that begins with one event and ends with
 * another: interrupts, softirqs, work items, timers, allocations, requests,
 * functions with a return probe, or any two events.
 *
 * Recipes (analyses/pairs/recipes.def) say which events are pairs, and which of
 * their fields tell which end is whose.  Shows counts and times per recipe and
 * what it is of, the slowest, what began and did not end (memory that is not
 * freed), and the stacks of the begins by time.
 */
#include <coldperf/plugin.h>

#include <string.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/pairs/match.h"

static int
pair_begin(struct cp_run *run, void *state)
{
	return cp_pairs_init(state, run);
}

static int
pair_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	return cp_pairs_sample(state, s);
}

static int
pair_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	cp_pairs_sideband(state, e);
	return CP_OK;
}

static void
notes(struct cp_pairs *p, struct cp_report *rep)
{
	uint64_t unstarted = 0, open = 0, pairs = 0;
	struct cp_word n;

	for (uint32_t i = 0; i < p->recipes.n; i++) {
		unstarted += p->sum[i].unstarted;
		open += p->sum[i].open;
	}
	for (uint32_t i = 0; i < p->rows.n; i++)
		pairs += p->row[i].took.n;
	if (open != 0)
		cp_report_note(rep,
		    "begun, their end not in the capture: %s; shown as open, "
		    "without a time",
		    cp_word_count(&n, open));
	if (unstarted != 0)
		cp_report_note(rep,
		    "ended, their begin not in the capture: %s; not counted",
		    cp_word_count(&n, unstarted));
	if (p->replaced != 0)
		cp_report_note(rep,
		    "begun again, so ended without an event that says when: "
		    "%s; not counted",
		    cp_word_count(&n, p->replaced));
	if (p->endless != 0)
		cp_report_note(rep,
		    "begun, and the event that ends them never occurred: %s; "
		    "not shown",
		    cp_word_count(&n, p->endless));
	if (p->unknown != 0)
		cp_report_note(rep,
		    "of unknown length, because records were lost meanwhile: "
		    "%s; not counted",
		    cp_word_count(&n, p->unknown));
	if (p->untracked != 0)
		cp_report_note(rep, "beyond %u open at once: %s; not counted",
		    CP_PAIRS_OPEN, cp_word_count(&n, p->untracked));
	cp_lost_waits_note(&p->waits, rep);
	cp_quantiles_note(rep, pairs);
	cp_recipes_note(&p->recipes, rep);
}

/* The file that ends early has lost the names of its tracepoints. */
static bool
nameless(struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (strcmp(cp_run_evsel(run, i)->name, "unknown tracepoint") ==
		    0)
			return true;
	return false;
}

static int
pair_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_pairs *p = state;

	if (p->sum == NULL)
		cp_recipes_init(&p->recipes, run);
	if (cp_run_option_bool(run, "list")) {
		cp_recipes_list(&p->recipes, rep);
		return CP_OK;
	}
	if (p->sum != NULL) {
		cp_pairs_finish(p);
		cp_pairs_tables(p, rep);
		notes(p, rep);
	}
	if (p->recipes.n == 0 && nameless(run))
		cp_report_note(rep,
		    "the names of its tracepoints are missing: --formats takes "
		    "them from another capture of the same kernel");
	else if (p->recipes.n == 0)
		cp_recipe_note(rep, "events that begin and end something",
		    CP_ADVICE_pairs);
	return CP_OK;
}

static const struct cp_option pair_options[] = {
	{ "recipe", "LIST", NULL, "these alone: irq,softirq" },
	{ "begin", "EVENT", NULL,
	    "the event that begins something of your own" },
	{ "end", "EVENT", NULL, "and the one that ends it" },
	{ "key", "FIELDS", NULL,
	    "fields that are equal in both, @tid, @cpu (@tid)" },
	{ "by", "FIELD", NULL,
	    "a row for each value of the begin's FIELD: or comm, pid, tid, "
	    "cpu, cgroup" },
	{ "slower", "DURATION", NULL,
	    "stacks and slowest of those that took as long: 10ms" },
	{ "list", NULL, NULL, "show all recipes" },
	{ "top", "N", "20", "show N rows of each, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(pair) = {
	.abi = CP_ABI,
	.name = "pair",
	.summary =
	    "what begins and ends: interrupts, work items, requests, leaks",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = pair_options,
	.state_size = sizeof(struct cp_pairs),
	.begin = pair_begin,
	.sample = pair_sample,
	.event = pair_event,
	.finish = pair_finish,
};
