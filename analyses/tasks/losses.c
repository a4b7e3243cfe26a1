/* SPDX-License-Identifier: MIT */
#include "analyses/tasks/losses.h"

uint64_t
cp_taskstate_loss(const struct cp_taskstate *ts)
{
	return ts->losses.n != 0 ? ts->losses.all[ts->losses.n - 1].start
				 : CP_NO_TIME;
}

bool
cp_taskstate_lost(const struct cp_taskstate *ts, uint64_t since)
{
	return cp_lost_spans_after(&ts->losses, since) != NULL;
}

bool
cp_taskstate_lost_within(
    const struct cp_taskstate *ts, uint64_t from, uint64_t to)
{
	const struct cp_lost_span *l = cp_lost_spans_after(&ts->losses, from);

	return l != NULL && l->start < to;
}
