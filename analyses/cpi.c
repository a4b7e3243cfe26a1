/* SPDX-License-Identifier: MIT */
/*
 * cpi: cycles per instruction, and other ratios of hardware counters.
 *
 * Uses the first of these that the capture has: readings of a group with cycles
 * and instructions; both sampled as events of their own; cycles between the
 * branches of branch stacks.  Events are known by number or name
 * (common/hw-events.h), intervals are explained in common/ratio.h.  Counts are
 * periods whatever --weight says, scaled where the counters did not run all the
 * time.
 */
#include <coldperf/plugin.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/frame-label.h"
#include "analyses/cpi/cpi.h"
#include "analyses/precision/typical.h"

enum { SAMPLE_BRANCHES = 1 << 11, BRANCH_CALL_STACK = 1 << 11 };

struct cpi_state {
	struct cpi cpi;
	struct cp_precision precision;
};

static bool
may_have_branches(const struct cp_run *run)
{
	uint32_t n = cp_run_evsel_count(run);

	for (uint32_t i = 0; i < n; i++)
		if (cp_run_evsel(run, i)->sample_type & SAMPLE_BRANCHES)
			return true;
	return n == 0; /* a pipe describes its events after the first records */
}

static int
cpi_begin(struct cp_run *run, void *state)
{
	struct cpi_state *all = state;
	struct cpi *c = &all->cpi;

	cp_cpi_init(c, run);
	c->top = cp_run_option_u64(run, "top");
	if (!may_have_branches(run))
		cp_run_wants(run, CP_WANT_SAMPLES | CP_WANT_STACKS |
				      CP_WANT_NAMES | CP_WANT_SPOTS);
	return cp_precision_init(&all->precision, run);
}

/* ----------------------------------------------------------------- samples */

static int
cpi_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cpi_state *all = state;
	struct cpi *c = &all->cpi;

	/* Call stacks made of LBR are not consecutive branches. */
	if (s->branches != 0 &&
	    !(cp_run_evsel(run, s->evsel)->branch_type & BRANCH_CALL_STACK))
		cp_cpi_blocks_sample(&c->blocks, s);
	cp_cpi_sample(c, s);
	cp_precision_add(&all->precision, s, 0);
	return CP_OK;
}

/* ------------------------------------------------------------------ finish */

/* Measures how sure shares of cycles are, on the samples of cycles. */
static void
measure(struct cpi_state *all)
{
	struct cpi *c = &all->cpi;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->by_stack, &rows);

	cp_rows_name(c->run, rows, n);
	for (uint32_t i = 0; i < c->events.n && !(c->dispersion > 0); i++)
		if (c->events.all[i].used &&
		    c->events.all[i].what.role == CP_ROLE_CYCLES)
			c->dispersion = cp_precision_typical(
			    &all->precision, cp_run_event_of(c->run, i));
}

static int
cpi_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cpi_state *all = state;
	struct cpi *c = &all->cpi;

	if (cp_cpi_end(c)) {
		measure(all);
		cp_cpi_show(c, rep);
		cp_cpi_notes(c, rep);
	} else if (!cp_cpi_blocks_show(&c->blocks, rep, c->top)) {
		cp_report_table(rep, "symbols", "By symbol", NULL, 0);
		cp_cpi_note_missing(c, rep);
	}
	cp_cpi_note_events(run, &c->events, rep);
	cp_precision_note(&all->precision, rep);
	return CP_OK;
}

static const struct cp_option cpi_options[] = {
	{ "top", "N", "20", "show the N rows with most cycles, 0: all" },
	CP_PRECISION_OPTION,
	CP_OPTION_GUESS_SUFFIX,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(cpi) = {
	.abi = CP_ABI,
	.name = "cpi",
	.summary = "cycles per instruction, misses, stalls, and where",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_RAW | CP_WANT_SPOTS,
	.options = cpi_options,
	.state_size = sizeof(struct cpi_state),
	.begin = cpi_begin,
	.sample = cpi_sample,
	.finish = cpi_finish,
};
