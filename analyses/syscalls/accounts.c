/* SPDX-License-Identifier: MIT */
/* What system calls say in the overview: the longest, those that fail. */
#include "analyses/accounts/tellers.h"
#include "analyses/syscalls/syscalls.h"

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_syscalls *c = state;
	struct cp_pair_rows named;
	struct cp_pair_row all, *longest, *failing;
	const char *name;
	struct cp_account x;

	cp_syscalls_finish(c);
	all = cp_syscalls_by_name(c, &named);
	if (named.by.n == 0)
		return;
	longest = failing = named.all;
	for (uint32_t i = 0; i < named.by.n; i++) {
		if (named.all[i].took.sum > longest->took.sum)
			longest = &named.all[i];
		if (named.all[i].errors > failing->errors)
			failing = &named.all[i];
	}
	/* Calls without an end took some time: nobody knows how much. */
	cp_accounts_add(
	    a, &(struct cp_account){
		   .name = all.took.n != 0 ? CP_A_CALLS : CP_A_CALLS_BEGUN,
		   .n = all.begun,
		   .m = named.by.n,
		   .ns = all.took.sum });
	name = cp_run_string(
	    c->run, (cp_string_id)named.by.all[longest - named.all].a);
	if (all.took.n != 0)
		cp_accounts_add(
		    a, CP_ACCOUNT(CALLS_LONGEST, .what = name,
			   .ns = longest->took.sum, .n = longest->begun,
			   .p99 = cp_quantiles_at(&longest->took, 0.99)));
	if (failing->errors == 0)
		return;
	name = cp_run_string(
	    c->run, (cp_string_id)named.by.all[failing - named.all].a);
	x = (struct cp_account){ .name = CP_A_CALLS_FAILING,
		.what = name,
		.where = name,
		.n = failing->begun,
		.m = failing->errors,
		.share = cp_percent_exact(failing->errors, failing->begun),
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
	.begin = cp_syscalls_begin,
	.sample = cp_syscalls_sample,
	.event = cp_syscalls_event,
	.tell = tell,
};
