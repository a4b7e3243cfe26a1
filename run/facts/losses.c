/* SPDX-License-Identifier: MIT */
/* losses: the times in which records were lost. */
#include "run/facts/facts.h"

#include <string.h>

static void
grow(struct cp_lost_spans *l, struct cp_run *run)
{
	uint32_t cap = l->cap != 0 ? 2 * l->cap : 64;
	struct cp_lost_span *all = cp_run_alloc(run, cap * sizeof(*all));

	if (l->n != 0)
		memcpy(all, l->all, l->n * sizeof(*all));
	l->all = all;
	l->cap = cap;
}

void
cp_lost_spans_add(
    struct cp_lost_spans *l, struct cp_run *run, uint64_t start, uint64_t end)
{
	while (l->n != 0 && l->all[l->n - 1].end >= start) {
		if (l->all[l->n - 1].start < start)
			start = l->all[l->n - 1].start;
		l->n--;
	}
	if (l->n == l->cap)
		grow(l, run);
	l->all[l->n++] = (struct cp_lost_span){ start, end };
}

const struct cp_lost_span *
cp_lost_spans_after(const struct cp_lost_spans *l, uint64_t time)
{
	uint32_t from = 0, to = l->n;

	if (to == 0 || l->all[to - 1].end <= time)
		return NULL;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (l->all[middle].end <= time)
			from = middle + 1;
		else
			to = middle;
	}
	return &l->all[from];
}
