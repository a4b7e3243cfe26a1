/* SPDX-License-Identifier: MIT */
#include "analyses/locks/brief.h"

#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"
#include "analyses/locks/locks.h"

struct waiter {
	cp_string_id comm;
	uint64_t n, ns;
};

static bool
recorded(const struct cp_run *run)
{
	return cp_brief_recorded(run, cp_lock_probes);
}

static void *
begin(struct cp_run *run)
{
	struct cp_locks *l = cp_run_alloc(run, sizeof(*l));

	cp_locks_init(l, run);
	return l;
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

static void
found(const struct cp_locks *l, const struct cp_quantiles *all,
    struct cp_brief_lines *lines)
{
	const struct cp_quality *q = cp_run_quality(l->run);
	double span = (double)(q->last_time - q->first_time);
	struct cp_word time, n;

	if (q->first_time == CP_NO_TIME || span <= 0 ||
	    (double)all->sum / span < cp_threshold(CP_T_LOCK_SHARE))
		return;
	cp_brief_found(lines, "locks",
	    "threads waited %s for locks, %.1f %% of the capture's length, in "
	    "%s wait%s: coldperf locks",
	    cp_word_time(&time, all->sum), 100 * (double)all->sum / span,
	    cp_word_count(&n, all->n), cp_word_s(all->n));
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

	return cp_brief_recorded(run, ends);
}

static void
show(void *state, struct cp_brief_lines *lines)
{
	struct cp_locks *l = state;
	struct cp_quantiles all = { 0 };
	struct waiter most;
	struct cp_word n, time, p99, max;

	cp_locks_finish(l);
	most = sum(l, &all);

	if (all.n == 0) {
		if (ends_recorded(l->run))
			cp_brief_line(lines, "no waits for locks");
		return;
	}
	cp_brief_line(lines, "%s wait%s for locks took %s in sum",
	    cp_word_count(&n, all.n), cp_word_s(all.n),
	    cp_word_time(&time, all.sum));
	cp_brief_line(lines, "99 of 100 took up to %s, the longest %s",
	    cp_word_time(&p99, cp_quantiles_at(&all, 0.99)),
	    cp_word_time(&max, all.max));
	if (most.ns != 0)
		cp_brief_line(lines, "%.64s waited most: %s in %s wait%s",
		    cp_run_string(l->run, most.comm),
		    cp_word_time(&time, most.ns), cp_word_count(&n, most.n),
		    cp_word_s(most.n));
	found(l, &all, lines);
}

const struct cp_brief_part cp_locks_brief = {
	.command = "locks",
	.what = "waits for locks",
	.record = CP_ADVICE_locks,
	.recorded = recorded,
	.all = true,
	.begin = begin,
	.sample = sample,
	.event = event,
	.show = show,
};
