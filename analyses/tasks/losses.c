/* SPDX-License-Identifier: MIT */
/* losses: the times in which records were lost, as disjoint ascending spans. */
#include "analyses/tasks/losses.h"

#include <string.h>

/* Losses are added in order of their ends; overlapping ones are merged. */
void
cp_loss_add(struct cp_taskstate *ts, uint64_t start, uint64_t end)
{
	while (ts->n_losses != 0 && ts->loss[ts->n_losses - 1].end >= start) {
		if (ts->loss[ts->n_losses - 1].start < start)
			start = ts->loss[ts->n_losses - 1].start;
		ts->n_losses--;
	}
	if (ts->n_losses == ts->cap_losses) {
		uint32_t cap = ts->cap_losses != 0 ? 2 * ts->cap_losses : 64;
		struct cp_sched_loss *all =
		    cp_run_alloc(ts->run, cap * sizeof(*all));

		if (ts->n_losses != 0)
			memcpy(all, ts->loss, ts->n_losses * sizeof(*all));
		ts->loss = all;
		ts->cap_losses = cap;
	}
	ts->loss[ts->n_losses++] = (struct cp_sched_loss){ start, end };
}

/* Finds the first loss that ends after a time; NULL: none does. */
const struct cp_sched_loss *
cp_loss_after(const struct cp_taskstate *ts, uint64_t time)
{
	uint32_t from = 0, to = ts->n_losses;

	if (to == 0 || ts->loss[to - 1].end <= time)
		return NULL;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (ts->loss[middle].end <= time)
			from = middle + 1;
		else
			to = middle;
	}
	return &ts->loss[from];
}

uint64_t
cp_taskstate_loss(const struct cp_taskstate *ts)
{
	return ts->n_losses != 0 ? ts->loss[ts->n_losses - 1].start
				 : CP_NO_TIME;
}

bool
cp_taskstate_lost(const struct cp_taskstate *ts, uint64_t since)
{
	return cp_loss_after(ts, since) != NULL;
}
