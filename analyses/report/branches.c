/* SPDX-License-Identifier: MIT */
/* What branch stacks say in the overview. */
#include "analyses/report/report.h"

#include <stdio.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"

/* PERF_SAMPLE_BRANCH_CALL_STACK: they are callers. */
#define CALL_STACK (UINT64_C(1) << 11)

struct branches {
	struct cp_run *run;
	struct cp_tally *missed; /* frame branched from */
	uint32_t reading;
	uint64_t stacks, n, known, mispredicted, cycles, timed;
};

static bool
tells_branches(const struct cp_run *run, uint32_t evsel)
{
	uint64_t type = cp_run_evsel(run, evsel)->branch_type;

	return type != 0 && !(type & CALL_STACK);
}

static bool
recorded(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (tells_branches(run, i))
			return true;
	return false;
}

static int
begin(struct cp_run *run, void *state)
{
	struct branches *b = state;

	b->run = run;
	b->missed = cp_tally_new(run);
	return CP_OK;
}

static int
sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct branches *b = state;
	uint32_t n = tells_branches(b->run, s->evsel) ? s->branches : 0;

	if (n == 0 || cp_event_again(&b->reading, s))
		return CP_OK;
	b->stacks++;
	for (uint32_t i = 0; i < n; i++) {
		struct cp_branch at = cp_sample_branch(b->run, s, i);

		b->n++;
		b->known += at.mispredicted || at.predicted;
		b->timed += at.cycles != 0;
		b->cycles += at.cycles;
		if (!at.mispredicted)
			continue;
		b->mispredicted++;
		cp_tally_add(b->missed,
		    cp_sample_frame(b->run, s, at.from, CP_LEVEL_UNKNOWN), 0,
		    1);
	}
	return CP_OK;
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct branches *b = state;
	/* The branches of a stack follow one another: one observation. */
	double same = cp_share((double)b->stacks, (double)b->n);
	struct cp_account x = { .name = CP_A_BRANCHES, .n = b->n };
	const struct cp_tally_row *most = cp_rows_heaviest(b->missed);
	const struct cp_symbol *sym;
	cp_frame_id frame;
	char apart[32];

	(void)snprintf(
	    apart, sizeof(apart), "%.1f", (double)b->cycles / (double)b->timed);
	if (b->timed != 0)
		x.what = apart;
	cp_accounts_add(a, &x);
	if (b->known == 0)
		return;
	x = (struct cp_account){ .name = CP_A_BRANCHES_MISSED,
		.share = cp_percent_of((struct cp_mass){ b->mispredicted,
					   (double)b->mispredicted },
		    cp_counted(b->known, 1 / same)),
		.of = "the branches" };
	cp_accounts_add(a, &x);
	x.name = CP_A_MISPREDICTED;
	if ((double)b->known * same >= cp_threshold(CP_T_FEW_SAMPLES))
		cp_accounts_add(a, &x);
	if (most == NULL)
		return;
	frame = (cp_frame_id)most->a;
	cp_run_name_frames(b->run, &frame, 1);
	sym = cp_frame_symbol(b->run, frame);
	if (sym != NULL)
		cp_accounts_add(a, CP_ACCOUNT(BRANCHES_IN, .where = sym->name,
				       .share = cp_percent_exact(
					   most->count, b->mispredicted)));
}

const struct cp_teller cp_branches_teller = {
	.command = "branches",
	.what = "branch stacks",
	.record = CP_ADVICE_branches,
	.recorded = recorded,
	.size = sizeof(struct branches),
	.begin = begin,
	.sample = sample,
	.tell = tell,
};
