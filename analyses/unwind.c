/* SPDX-License-Identifier: MIT */
/*
 * unwind: how far the user stacks of the capture could be unwound, the objects
 * at which incomplete stacks ended, and advice; and the methods by which frames
 * were found.  For call chains that the kernel recorded: the causes of broken
 * ones.
 *
 * Counts stacks, not weight: it is about the quality of the call chains.
 */
#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/stack-ends.h"
#include "analyses/lost/chain-ends.h"
#include "analyses/unwind/frames.h"

struct unwind {
	struct cp_unwind_ends ends;
	struct cp_tally *stacks; /* 0, stack */
	struct cp_tally *chains; /* event, stack: of the kernel */
	uint64_t other;          /* samples without a copy of the user stack */
	uint32_t reading;
};

static int
unwind_begin(struct cp_run *run, void *state)
{
	struct unwind *u = state;

	cp_unwind_ends_init(&u->ends, run);
	u->stacks = cp_tally_new(run);
	u->chains = cp_tally_new(run);
	return CP_OK;
}

static int
unwind_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct unwind *u = state;

	if (cp_event_again(&u->reading, s))
		return CP_OK;
	if (cp_unwind_ends_add(&u->ends, run, s)) {
		cp_tally_add(u->stacks, 0, s->stack, s->weight);
		return CP_OK;
	}
	u->other++;
	if (cp_chain_ends_of(run, s->evsel))
		cp_tally_add(u->chains, s->evsel, s->stack, s->weight);
	return CP_OK;
}

/* Shows these rows only if --stack-scan found any. */
static void
show_scanned(
    struct cp_report *rep, const struct cp_unwind_frames *f, uint64_t all)
{
	struct cp_word a;

	if (f->stacks_scanned == 0)
		return;
	cp_report_scalar(
	    rep, "unwind", "stacks_scanned", CP_COL_COUNT, f->stacks_scanned);
	cp_report_scalar(rep, "unwind", "frames_scanned", CP_COL_COUNT,
	    f->found[CP_GUESS_SCAN]);
	cp_report_note(rep,
	    "%s of the stacks have frames that --stack-scan found: words of "
	    "the stack that look like return addresses; earlier calls leave "
	    "such words too",
	    cp_word_percent(&a, (double)f->stacks_scanned, (double)all));
}

static void
show_frames(struct cp_run *run, const struct unwind *u, uint64_t all,
    struct cp_report *rep)
{
	struct cp_unwind_frames f;
	struct cp_word a;

	cp_unwind_frames_count(&f, run, u->stacks);
	cp_report_scalar(rep, "unwind", "frames", CP_COL_COUNT, f.all);
	cp_report_scalar(
	    rep, "unwind", "stacks_guessed", CP_COL_COUNT, f.stacks_guessed);
	if (f.stacks_guessed != 0)
		cp_report_note(rep,
		    "%s of the stacks have frames that were guessed, because "
		    "there is no unwind table",
		    cp_word_percent(&a, (double)f.stacks_guessed, (double)all));
	show_scanned(rep, &f, all);
	if (all == 0)
		return;
	cp_unwind_frames_show(&f, rep);
	cp_unwind_frames_objects(&f, rep);
}

static void
show_chains(struct cp_run *run, const struct unwind *u, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(u->chains, &rows);
	struct cp_chain_ends c;

	cp_rows_name(run, rows, n);
	cp_chain_ends_init(&c, run);
	for (size_t i = 0; i < n; i++)
		cp_chain_ends_add(&c, (uint32_t)rows[i].a, &rows[i]);
	cp_chain_ends_note(&c, rep);
	cp_chain_ends_show(&c, rep);
}

static int
unwind_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct unwind *u = state;
	uint64_t all, complete;

	cp_unwind_ends_count(&u->ends);
	all = u->ends.all;
	complete = u->ends.complete;
	cp_run_name(run, NULL, 0);
	cp_report_scalar(rep, "unwind", "stacks", CP_COL_COUNT, all);
	cp_report_scalar(rep, "unwind", "complete", CP_COL_COUNT, complete);
	cp_report_scalar_share(rep, "unwind", "share_complete",
	    cp_share((double)complete, (double)all));
	cp_report_scalar(
	    rep, "unwind", "samples_without", CP_COL_COUNT, u->other);
	if (cp_unwind_ends_untold(&u->ends, cp_run_quality(run)))
		cp_unwind_sums_show(cp_run_quality(run), rep);
	else if (all == 0)
		cp_report_note(rep, "no sample has a copy of its user stack: "
				    "perf record --call-graph dwarf records "
				    "them, and pack --unwound drops them");
	else
		cp_unwind_ends_show(&u->ends, run, rep);
	show_frames(run, u, all, rep);
	show_chains(run, u, rep);
	return CP_OK;
}

CP_ANALYSIS_DEFINE(unwind) = {
	.abi = CP_ABI,
	.name = "unwind",
	.summary = "where the unwinding of user stacks ended, and what helps",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_MERGED,
	.state_size = sizeof(struct unwind),
	.begin = unwind_begin,
	.sample = unwind_sample,
	.finish = unwind_finish,
};
