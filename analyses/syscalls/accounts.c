/* SPDX-License-Identifier: MIT */
/* What system calls say in the overview: the longest, those that fail. */
#include "analyses/accounts/tellers.h"
#include "analyses/syscalls/syscalls.h"

/* Calls of one name. */
struct named {
	const char *name;
	struct cp_calls calls;
};

static void
begin(void *state, struct cp_run *run)
{
	cp_syscalls_init(state, run);
}

static void
sample(void *state, const struct cp_sample *s)
{
	cp_syscalls_sample(state, s);
}

static void
event(void *state, const struct cp_sideband *e)
{
	cp_syscalls_sideband(state, e);
}

static void
add(struct cp_run *run, struct cp_calls *to, const struct cp_calls *from)
{
	to->started += from->started;
	to->errors += from->errors;
	cp_quantiles_merge(run, &to->took, &from->took);
}

static struct named *
sum_by_name(struct cp_syscalls *c, uint32_t *n, struct cp_calls *all)
{
	struct named *sums = cp_run_alloc(c->run, c->rows.n * sizeof(*sums));
	struct cp_index names;

	cp_index_init(&names, c->run);
	*all = (struct cp_calls){ 0 };
	for (uint32_t i = 0; i < c->rows.n; i++) {
		const char *name = cp_syscalls_name(c, c->rows.all[i].b);
		uint32_t k =
		    cp_index_put(&names, cp_run_intern(c->run, name), 0);

		sums[k].name = name;
		add(c->run, &sums[k].calls, &c->row[i]);
		add(c->run, all, &c->row[i]);
	}
	*n = names.n;
	return sums;
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_syscalls *c = state;
	struct named *longest = NULL, *failing = NULL, *s;
	struct cp_calls all;
	struct cp_account x;
	uint32_t n;

	cp_syscalls_finish(c);
	s = sum_by_name(c, &n, &all);
	for (uint32_t i = 0; i < n; i++) {
		if (longest == NULL ||
		    s[i].calls.took.sum > longest->calls.took.sum)
			longest = &s[i];
		if (failing == NULL ||
		    s[i].calls.errors > failing->calls.errors)
			failing = &s[i];
	}
	if (longest == NULL)
		return;
	/* Calls without an end took some time: nobody knows how much. */
	cp_accounts_add(
	    a, &(struct cp_account){
		   .name = all.took.n != 0 ? CP_A_CALLS : CP_A_CALLS_BEGUN,
		   .n = all.started,
		   .m = n,
		   .ns = all.took.sum });
	if (all.took.n != 0)
		cp_accounts_add(
		    a, CP_ACCOUNT(CALLS_LONGEST, .what = longest->name,
			   .ns = longest->calls.took.sum,
			   .n = longest->calls.started,
			   .p99 = cp_quantiles_at(&longest->calls.took, 0.99)));
	if (failing->calls.errors == 0)
		return;
	x = (struct cp_account){ .name = CP_A_CALLS_FAILING,
		.what = failing->name,
		.where = failing->name,
		.n = failing->calls.started,
		.m = failing->calls.errors,
		.share = cp_percent_exact(
		    failing->calls.errors, failing->calls.started),
		.of = "the calls" };
	cp_accounts_add(a, &x);
	x.name = CP_A_CALL_ERRORS;
	if ((double)x.n >= cp_threshold(CP_T_CALLS))
		cp_accounts_add(a, &x);
}

const struct cp_teller cp_syscalls_teller = {
	.command = "syscalls",
	.what = "system calls",
	.record = CP_ADVICE_syscalls,
	.probes = cp_syscalls_probes,
	.all = true,
	.size = sizeof(struct cp_syscalls),
	.begin = begin,
	.sample = sample,
	.event = event,
	.tell = tell,
};
