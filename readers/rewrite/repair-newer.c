/* SPDX-License-Identifier: MIT */
/*
 * repair-newer: counters of branches, one word for each after the branches.
 * perf 6.1 does not know them, and takes them for the fields after them.
 */
#include "readers/rewrite/repaired.h"

#include "readers/record-head.h"

#define COUNTERS (UINT64_C(1) << CP_BRANCH_COUNTERS)

void
cp_repair_older(struct cp_attr *a)
{
	if ((a->sample_type & CP_SAMPLE_BRANCH_STACK) != 0)
		a->branch_sample_type &= ~COUNTERS;
}

static const uint8_t *
moved(const uint8_t *p, const uint8_t *from, const uint8_t *to)
{
	return p != NULL ? to + (p - from) : NULL;
}

bool
cp_repair_shorten(const struct cp_evsels *e, struct cp_event *ev, uint8_t *copy)
{
	struct cp_ev_sample *s = &ev->u.sample;
	const uint8_t *from = ev->bytes;
	const struct cp_attr *a;
	size_t at, n;

	if (ev->type != CP_RECORD_SAMPLE || ev->evsel >= e->all.len ||
	    s->branch_nr == 0)
		return false;
	a = &e->all.data[ev->evsel]->attr;
	if ((a->sample_type & CP_SAMPLE_BRANCH_STACK) == 0 ||
	    (a->branch_sample_type & COUNTERS) == 0)
		return false;
	at = (size_t)(s->branch - from) + (size_t)s->branch_nr * 24;
	n = (size_t)s->branch_nr * 8;
	memcpy(copy, from, at);
	memcpy(copy + at, from + at + n, ev->size - at - n);
	ev->bytes = copy;
	ev->size -= (uint32_t)n;
	/* Those before the branches that the writer looks at. */
	s->read = moved(s->read, from, copy);
	s->raw = moved(s->raw, from, copy);
	return true;
}
