/* SPDX-License-Identifier: MIT */
/* What loads and stores say in the overview. */
#include "analyses/accounts/tellers.h"
#include "analyses/common/call-paths.h"
#include "analyses/mem/mem.h"

static bool
recorded(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_run_evsel(run, i)->sample_type & CP_MEM_SAMPLE_SOURCE)
			return true;
	return false;
}

static int
begin(struct cp_run *run, void *state)
{
	cp_mem_init(state, run);
	return CP_OK;
}

static int
sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	cp_mem_sample(state, s);
	return CP_OK;
}

/* The level that has most of the latency. */
static void
tell_level(const struct cp_mem *m, struct cp_accounts *a)
{
	const struct cp_tally_row *rows, *most;
	size_t n = cp_tally_rows(m->by_source, &rows);
	struct cp_tally *levels = cp_tally_new(m->run);
	struct cp_memword word;

	for (size_t i = 0; i < n; i++)
		cp_tally_add(levels,
		    cp_run_intern(m->run, cp_mem_level(&word, rows[i].a)), 0,
		    cp_mem_weight(m, &rows[i]));
	most = cp_rows_heaviest(levels);
	if (most != NULL)
		cp_accounts_add(
		    a, CP_ACCOUNT(ACCESS_LEVEL,
			   .what = cp_run_string(m->run, (cp_string_id)most->a),
			   .share =
			       cp_percent_exact(most->weight, m->whole.latency),
			   .of = m->timed ? "latency" : "accesses"));
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_mem *m = state;
	uint64_t taken = m->whole.hitm + m->whole.peer;
	struct cp_account x = { .name = CP_A_ACCESSES,
		.n = m->whole.n,
		.m = m->whole.loads,
		.k = m->whole.stores };

	/* Samples with dumped stacks have the field, but it is empty. */
	if (m->whole.n == 0)
		return;
	cp_mem_end(m);
	cp_accounts_add(a, &x);
	tell_level(m, a);
	if (taken == 0)
		return;
	x = (struct cp_account){ .name = CP_A_ACCESS_SHARED,
		.n = taken,
		.share = cp_percent_of_counts(taken, m->whole.n),
		.of = "the accesses" };
	cp_accounts_add(a, &x);
	x.name = CP_A_SHARED_LINES;
	if ((double)m->whole.n >= cp_threshold(CP_T_FEW_SAMPLES))
		cp_accounts_add(a, &x);
}

const struct cp_teller cp_mem_teller = {
	.command = "mem",
	.what = "loads and stores",
	.record = CP_ADVICE_memory,
	.recorded = recorded,
	.size = sizeof(struct cp_mem),
	.begin = begin,
	.sample = sample,
	.tell = tell,
};
