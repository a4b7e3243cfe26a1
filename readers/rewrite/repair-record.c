/* SPDX-License-Identifier: MIT */
/*
 * repair-record: tests if perf 6.1 can read a record.
 *
 * A flipped bit gives a record another type or another id.  Our reader skips
 * unknown records; perf stops at them.
 */
#include "readers/rewrite/repaired.h"

#include "readers/record-head.h"

static bool
from_kernel(const struct cp_event *ev)
{
	return ev->type != CP_RECORD_SAMPLE && ev->type < CP_RECORD_HEADER_ATTR;
}

/* Deferred chains are newer than perf 6.1, but samples may need them. */
static bool
defers(const struct cp_evsels *e)
{
	enum { DEFER_CALLCHAIN = 38, DEFER_OUTPUT = 39 };

	for (size_t i = 0; i < e->all.len; i++)
		if (cp_attr_flag(&e->all.data[i]->attr, DEFER_CALLCHAIN) ||
		    cp_attr_flag(&e->all.data[i]->attr, DEFER_OUTPUT))
			return true;
	return false;
}

static bool
type_known(const struct cp_evsels *e, uint32_t type)
{
	if (type == CP_RECORD_CALLCHAIN_DEFERRED)
		return defers(e);
	return type < CP_RECORD_CALLCHAIN_DEFERRED ||
	       type >= CP_RECORD_HEADER_ATTR;
}

/* OpenHarmony's hiperf writes texts without padding, which perf wants. */
bool
cp_repair_ends_in_text(const struct cp_event *ev)
{
	return ev->type == CP_RECORD_COMM || ev->type == CP_RECORD_MMAP ||
	       ev->type == CP_RECORD_MMAP2;
}

static bool
has_id(const struct cp_evsels *e, const struct cp_event *ev)
{
	return from_kernel(ev) && e->sample_id_all && e->trailer_id_at > 0;
}

bool
cp_repair_foreign(const struct cp_evsels *e, const struct cp_event *ev)
{
	size_t at = (size_t)e->trailer_id_at * 8;

	return has_id(e, ev) && (e->all.len > 1 || e->ids != 0) &&
	       at <= ev->size - CP_HEAD_SIZE &&
	       cp_evsels_find(
		   e, cp_load64(ev->bytes + ev->size - at, ev->swap)) == NULL;
}

/* perf 6.1 crashes if the idle task is a thread of a process. */
static bool
forks_idle(const struct cp_event *ev)
{
	return ev->type == CP_RECORD_FORK && ev->u.task.tid == 0 &&
	       ev->u.task.pid != 0;
}

bool
cp_repair_perf_has(const struct cp_evsels *e, const struct cp_event *ev)
{
	if (ev->size > UINT16_MAX - 7 || !type_known(e, ev->type) ||
	    (ev->size % 4 != 0 && !cp_repair_ends_in_text(ev) &&
		!cp_repair_odd(ev)))
		return false;
	if (ev->type >= CP_RECORD_HEADER_ATTR)
		return cp_repair_user_has(e, ev);
	if (forks_idle(ev))
		return false;
	/* with a single event perf does not use the id */
	return !has_id(e, ev) || e->all.len < 2 ||
	       (size_t)e->trailer_id_at * 8 <= ev->size - CP_HEAD_SIZE;
}

static uint32_t
trailer_wanted(const struct cp_evsels *e, const struct cp_event *ev)
{
	size_t i = ev->evsel < e->all.len ? ev->evsel : 0;

	return from_kernel(ev) && e->sample_id_all && e->all.len > 0
		   ? e->all.data[i]->trailer
		   : 0;
}

uint32_t
cp_repair_trailer(const struct cp_evsels *e, const struct cp_event *ev)
{
	uint32_t n = trailer_wanted(e, ev);

	return n <= ev->size - CP_HEAD_SIZE ? n : 0;
}

uint32_t
cp_repair_trailer_lacking(const struct cp_evsels *e, const struct cp_event *ev)
{
	return trailer_wanted(e, ev) - cp_repair_trailer(e, ev);
}
