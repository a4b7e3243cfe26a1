/* SPDX-License-Identifier: MIT */
/*
 * pair: how long something took that begins with one event and ends with
 * another: interrupts, softirqs, work items, timers, allocations, requests,
 * functions with a return probe, or any two events.
 *
 * Recipes (analyses/pairs/recipes.conf) say which events are pairs, and which
 * of their fields tell which end is whose.  Shows counts and times per recipe
 * and what it is of, the slowest, what began and did not end (memory that is
 * not freed), and the stacks of the begins by time.
 */
#include <coldperf/plugin.h>

#include <string.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/pairs/match.h"

static void
notes(struct cp_pairs *p, struct cp_report *rep)
{
	static const char out[] = "not counted";
	uint64_t unstarted = 0, open = 0;
	struct cp_word n;

	for (uint32_t i = 0; i < p->recipes.n; i++) {
		unstarted += p->sum[i].unstarted;
		open += p->sum[i].open;
	}
	cp_pair_notes(rep,
	    (const struct cp_pair_note[]){
		{ open, "begun, their end not in the capture",
		    "shown as open, without a time" },
		{ unstarted, "ended, their begin not in the capture", out },
		{ p->replaced,
		    "begun again, so ended without an event that says when",
		    out },
		{ p->endless,
		    "begun, and the event that ends them never occurred",
		    "not shown" },
		{ p->unknown,
		    "of unknown length, because records were lost meanwhile",
		    out } },
	    5);
	if (p->untracked != 0)
		cp_report_note(rep, "beyond %u open at once: %s; not counted",
		    CP_PAIRS_OPEN, cp_word_count(&n, p->untracked));
	cp_lost_waits_note(&p->waits, rep);
	cp_pair_rows_note(&p->rows, rep);
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
	.begin = cp_pair_begin,
	.sample = cp_pair_sample,
	.event = cp_pair_event,
	.finish = pair_finish,
};
