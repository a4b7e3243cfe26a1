/* SPDX-License-Identifier: MIT */
#include "analyses/annotate/annotate.h"

#include <string.h>

/*
 * A gap of fewer instructions is shown: a row that says what was left out takes
 * a line, too.
 */
#define LEAST_LEFT_OUT 3

static void
mark(bool *near, size_t n, size_t at, uint64_t context)
{
	size_t from = at > context ? at - (size_t)context : 0;
	size_t to = n - at > context ? at + (size_t)context + 1 : n;

	memset(near + from, true, to - from);
}

static void
fill_small_gaps(bool *near, size_t n)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && near[end] == near[i];)
			end++;
		if (!near[i] && end - i < LEAST_LEFT_OUT)
			memset(near + i, true, end - i);
	}
}

const bool *
cp_annotate_near(struct cp_annotate *a, const struct cp_hot *h)
{
	const struct cp_code *code = &h->code;
	bool *near = cp_run_alloc(a->run, code->n + 1);
	size_t hit = 0;

	if (a->whole) {
		memset(near, true, code->n);
		return near;
	}
	for (size_t i = 0; i < code->n && hit < h->n; i++) {
		bool any = false;

		for (; hit < h->n && h->hits[hit].addr <= code->at[i].addr;
		     hit++)
			any = true;
		if (any)
			mark(near, code->n, i, a->context);
	}
	fill_small_gaps(near, code->n);
	return near;
}
