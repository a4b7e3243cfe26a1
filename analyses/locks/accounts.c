/* SPDX-License-Identifier: MIT */
/* What waits for locks say in the overview. */
#include "analyses/accounts/tellers.h"
#include "analyses/locks/locks.h"

/* Finds the command that waited longest for locks, and adds up such waits. */
static cp_string_id
sum(struct cp_locks *l, struct cp_pair_row *all, struct cp_pair_row *most)
{
	struct cp_pair_rows comms;
	cp_string_id comm = 0;

	cp_pair_rows_init(&comms, l->run);
	for (uint32_t i = 0; i < l->rows.by.n; i++) {
		uint64_t of = l->threads.all[l->rows.by.all[i].a].b;
		const struct cp_pair_row *row;

		if (cp_locks_type(l, i) == CP_LOCKS_PARKED)
			continue;
		row = cp_pair_rows_add(&comms, of, 0, &l->rows.all[i]);
		if (row->took.sum > most->took.sum) {
			*most = *row;
			comm = (cp_string_id)of;
		}
		cp_pair_row_add(l->run, all, &l->rows.all[i]);
	}
	return comm;
}

/* A begin without its end is no wait, and no proof that there was none. */
static bool
ends_recorded(const struct cp_run *run)
{
	static const struct cp_probe ends[] = {
		{ "lock:contention_end", { NULL } },
		{ "syscalls:sys_exit_futex", { NULL } },
		{ "syscalls:sys_exit_futex_wait", { NULL } },
		{ "raw_syscalls:sys_exit", { NULL } },
		{ NULL, { NULL } },
	};

	return cp_teller_recorded(run, ends);
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct cp_locks *l = state;
	struct cp_pair_row all = { 0 }, most = { 0 };
	struct cp_account x = { .name = CP_A_NO_LOCKS };
	cp_string_id comm;

	cp_locks_finish(l);
	comm = sum(l, &all, &most);
	if (all.took.n == 0) {
		if (ends_recorded(l->run))
			cp_accounts_add(a, &x);
		return;
	}
	x = (struct cp_account){ .name = CP_A_LOCK_WAITS,
		.n = all.took.n,
		.ns = all.took.sum,
		.p99 = cp_quantiles_at(&all.took, 0.99),
		.longest = all.took.max };
	cp_accounts_add(a, &x);
	x.name = CP_A_LOCK_LONGEST;
	cp_accounts_add(a, &x);
	/* Causes say where, if there are switches. */
	x.name = CP_A_LOCKS;
	x.share.share = 100 * (double)x.ns / (double)a->elapsed;
	if (a->elapsed != 0 && !cp_accounts_have(a, CP_A_LOCK) &&
	    x.share.share >= 100 * cp_threshold(CP_T_LOCK_SHARE))
		cp_accounts_add(a, &x);
	if (most.took.sum != 0)
		cp_accounts_add(a,
		    CP_ACCOUNT(LOCK_WAITER, .who = cp_run_string(l->run, comm),
			.ns = most.took.sum, .n = most.took.n));
}

const struct cp_teller cp_locks_teller = {
	.command = "locks",
	.what = "waits for locks",
	.record = CP_ADVICE_locks,
	.probes = cp_lock_probes,
	.all = true,
	.size = sizeof(struct cp_locks),
	.begin = cp_locks_begin,
	.sample = cp_locks_sample,
	.event = cp_locks_event,
	.tell = tell,
};
