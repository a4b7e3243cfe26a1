/* SPDX-License-Identifier: MIT */
/*
 * syscalls: how often each system call was made, how it failed, how long it
 * took; per call and per thread.
 *
 * From raw_syscalls:sys_enter and sys_exit, or from the events of single calls
 * (syscalls:sys_enter_NAME); with both, the former if they have both ends.  A
 * call lasts from its enter to the next exit of its thread.  A call whose end
 * is not in the capture, or during which records were lost, is counted without
 * a time.  If the enters have call chains there is a tree of the stacks by
 * time; where switches of threads were recorded, a call's time is divided into
 * on the CPU, ready and blocked.
 */
#include <coldperf/plugin.h>

#include "analyses/common/frame-label.h"
#include "analyses/common/label.h"
#include "analyses/common/record-hint.h"
#include "analyses/syscalls/syscalls.h"

static const struct cp_recipe_pair pairs[] = {
	{ { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" } },
	{ { "syscalls:sys_enter_*", "syscalls:sys_exit_*" } },
	{ { NULL, NULL } },
};

static int
syscalls_begin(struct cp_run *run, void *state)
{
	struct cp_syscalls *c = state;

	c->spans = cp_run_spans(run, cp_syscalls_span, c);
	return cp_syscalls_begin(run, state);
}

/* Notes calls in progress at the end, and other calls without a time. */
static void
notes(struct cp_syscalls *c, struct cp_report *rep)
{
	static const char counted[] = "counted, without a time";
	uint64_t open = 0, longest = 0;
	struct cp_word n, time;

	for (uint32_t i = 0; i < c->tids.n; i++)
		if (c->open[i].active && c->open[i].kept) {
			open++;
			if (c->last - c->open[i].time > longest)
				longest = c->last - c->open[i].time;
		}
	if (open != 0)
		cp_report_note(rep,
		    "in progress at the end of the capture: %s, the longest "
		    "for %s; %s",
		    cp_word_count(&n, open), cp_word_time(&time, longest),
		    counted);
	cp_pair_notes(rep,
	    (const struct cp_pair_note[]){
		{ c->cut, "begun where the filters look, and ended elsewhere",
		    counted },
		{ c->unstarted, "ended, their begin not recorded", counted },
		{ c->unfinished,
		    "begun, their end not recorded (exit, exec, lost)",
		    counted },
		{ c->unknown,
		    "of unknown length, because records were lost meanwhile",
		    counted } },
	    4);
	cp_lost_waits_note(&c->waits, rep);
}

static int
syscalls_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cp_syscalls *c = state;

	cp_syscalls_finish(c);
	if (c->left_out != 0)
		cp_recipe_left_out(rep, c->raw, c->left_out);
	if (c->rows.by.n == 0 && c->left_out != 0)
		return CP_OK;
	if (c->rows.by.n == 0) {
		cp_recipe_note(rep, "system calls", CP_ADVICE_syscalls);
		return CP_OK;
	}
	cp_recipe_title(run, cp_syscalls_probes, rep);
	if (cp_recipe_sampled(run, cp_syscalls_probes, rep))
		return CP_OK;
	cp_syscalls_tables(c, rep);
	notes(c, rep);
	cp_pair_rows_note(&c->rows, rep);
	cp_recipe_unpaired(run, pairs, rep);
	return CP_OK;
}

static const struct cp_option syscalls_options[] = {
	{ "top", "N", "20", "show the N longest of each table, 0: all" },
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(syscalls) = {
	.abi = CP_ABI,
	.name = "syscalls",
	.summary = "system calls: count, errors, latency per call and thread",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_RAW | CP_WANT_ALL,
	.options = syscalls_options,
	.state_size = sizeof(struct cp_syscalls),
	.begin = syscalls_begin,
	.sample = cp_syscalls_sample,
	.event = cp_syscalls_event,
	.finish = syscalls_finish,
};
