/* SPDX-License-Identifier: MIT */
/*
 * fits: do the values of a record fit the capture and its machine?
 */
#include "base/limits.h"
#include "readers/record/stream-state.h"

enum { PID_MAX = 1 << 22 }; /* Linux gives no larger one */

static bool
time_near(uint64_t time, uint64_t other)
{
	const uint64_t day = UINT64_C(86400) * 1000000000;

	return other == CP_NO_TIME ||
	       (time > other ? time - other : other - time) < day;
}

static bool
in_told_times(const struct cp_info *info, uint64_t time)
{
	return info->last_time == CP_NO_TIME ||
	       (time >= info->first_time && time <= info->last_time);
}

/*
 * Samples far from the last one are noise that looks like a sample, and so are
 * those outside of the times that the header tells.  If the last sample is
 * outside of these times, too, the header is wrong.
 */
static bool
time_plausible(const struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_info *info = &s->rec->info;

	if (ev->time == CP_NO_TIME || ev->time == CP_AFTER_ALL)
		return true;
	if (ev->time == 0 || (!in_told_times(info, ev->time) &&
				 (s->last_time == CP_NO_TIME ||
				     in_told_times(info, s->last_time))))
		return false;
	/*
	 * The last sample may have been damaged, so its time is compared with
	 * that of the sample before, too.
	 */
	return time_near(ev->time, s->last_time) ||
	       time_near(ev->time, s->time_before);
}

/* All ones: a task that has ended.  The idle task's are both 0. */
bool
cp_stream_task_exists(uint32_t pid, uint32_t tid)
{
	if (pid == CP_NO_ID || tid == CP_NO_ID)
		return true;
	return pid <= PID_MAX && tid <= PID_MAX && (tid == 0) == (pid == 0);
}

bool
cp_stream_cpu_exists(const struct cp_stream *s, const struct cp_event *ev)
{
	uint32_t cpus = s->rec->info.nr_cpus_avail;

	return ev->cpu == CP_NO_ID ||
	       ev->cpu < (cpus != 0 ? cpus : CP_MAX_CPUS);
}

bool
cp_stream_id_known(const struct cp_stream *s, const struct cp_event *ev)
{
	const struct cp_evsels *e = &s->rec->evsels;

	return ev->id == 0 || e->ids == 0 || e->lost_ids != NULL ||
	       cp_evsels_find(e, ev->id) != NULL;
}

/* A sample's own fields are trusted if they fit the rest of the capture. */
bool
cp_stream_fits(const struct cp_stream *s, const struct cp_event *ev)
{
	return cp_stream_cpu_exists(s, ev) && cp_stream_id_known(s, ev) &&
	       time_plausible(s, ev);
}
