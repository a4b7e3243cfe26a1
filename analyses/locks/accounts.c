/* SPDX-License-Identifier: MIT */
/* What waits for locks say in the overview. */
#include "analyses/accounts/tellers.h"
#include "analyses/locks/locks.h"

struct waiter {
	cp_string_id comm;
	uint64_t n, ns;
};

static void
begin(void *state, struct cp_run *run)
{
	cp_locks_init(state, run);
}

static void
sample(void *state, const struct cp_sample *s)
{
	cp_locks_sample(state, s);
}

static void
event(void *state, const struct cp_sideband *e)
{
	cp_locks_sideband(state, e);
}

/* Finds the command that waited longest for locks, and adds up such waits. */
static struct waiter
sum(struct cp_locks *l, struct cp_quantiles *all)
{
	struct waiter *by = cp_run_alloc(l->run, l->threads.n * sizeof(*by)),
		      most = { 0 };
	struct cp_index comms;

	cp_index_init(&comms, l->run);
	for (uint32_t i = 0; i < l->rows.n; i++) {
		cp_string_id comm =
		    (cp_string_id)l->threads.all[l->rows.all[i].a].b;
		struct waiter *w = &by[cp_index_put(&comms, comm, 0)];

		if (cp_locks_type(l, i) == CP_LOCKS_PARKED)
			continue;
		w->comm = comm;
		w->n += l->row[i].took.n;
		w->ns += l->row[i].took.sum;
		if (w->ns > most.ns)
			most = *w;
		cp_quantiles_merge(l->run, all, &l->row[i].took);
	}
	return most;
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
	struct cp_quantiles all = { 0 };
	struct cp_account x = { .name = CP_A_NO_LOCKS };
	struct waiter most;

	cp_locks_finish(l);
	most = sum(l, &all);
	if (all.n == 0) {
		if (ends_recorded(l->run))
			cp_accounts_add(a, &x);
		return;
	}
	x = (struct cp_account){ .name = CP_A_LOCK_WAITS,
		.n = all.n,
		.ns = all.sum,
		.p99 = cp_quantiles_at(&all, 0.99),
		.longest = all.max };
	cp_accounts_add(a, &x);
	x.name = CP_A_LOCK_LONGEST;
	cp_accounts_add(a, &x);
	/* Causes say where, if there are switches. */
	x.name = CP_A_LOCKS;
	x.share.share = 100 * (double)x.ns / (double)a->elapsed;
	if (a->elapsed != 0 && !cp_accounts_have(a, CP_A_LOCK) &&
	    x.share.share >= 100 * cp_threshold(CP_T_LOCK_SHARE))
		cp_accounts_add(a, &x);
	if (most.ns != 0)
		cp_accounts_add(a, CP_ACCOUNT(LOCK_WAITER,
				       .who = cp_run_string(l->run, most.comm),
				       .ns = most.ns, .n = most.n));
}

const struct cp_teller cp_locks_teller = {
	.command = "locks",
	.what = "waits for locks",
	.record = CP_ADVICE_locks,
	.probes = cp_lock_probes,
	.all = true,
	.size = sizeof(struct cp_locks),
	.begin = begin,
	.sample = sample,
	.event = event,
	.tell = tell,
};
