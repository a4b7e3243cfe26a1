/* SPDX-License-Identifier: MIT */
/*
 * origins-time: the clock of each capture in a snapshot, and what --time
 * chooses of it: now, and before, when the snapshot was made.
 */
#include "run/api.h"
#include "run/moment.h"

/* What a capture told of its clock, as far as its row has it. */
static bool
info_of(const struct cp_run *run, const struct cp_report_origin *o,
    struct cp_info *info)
{
	uint64_t first = o->quality.first_time;

	*info = (struct cp_info){
		.first_time = o->start != CP_NO_TIME ? o->start : first,
		.last_time = o->end,
		.clock = { .has_data = o->wall != CP_NO_TIME,
		    .tod_ns = o->wall,
		    .clockid_ns = first },
	};
	return cp_clock_set(&info->clock, run->options->clock_offset,
		   info->first_time, run->diags) == CP_OK;
}

/* Moves a time of the capture's clock into it, to that of its samples. */
static uint64_t
moved(const struct cp_report_origin *o, uint64_t time)
{
	const struct cp_quality *q = &o->quality;

	time = CP_MIN(CP_MAX(time, q->first_time), q->last_time);
	return time - q->first_time + o->at;
}

static bool
has_times(const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;

	return o->at <= INT64_MAX && q->first_time <= q->last_time &&
	       q->last_time <= INT64_MAX;
}

/* Leaves of the set what these windows keep, too.  False: it is not known. */
static bool
narrow(struct cp_run *run, const struct cp_report_origin *o,
    cp_intervals *times, const cp_windows *windows)
{
	cp_intervals others = { 0 };
	struct cp_info info;
	bool known =
	    info_of(run, o, &info) && cp_windows_settle(windows, &info,
					  info.first_time, run->diags, &others);

	if (known)
		cp_intervals_meet(times, &others);
	cp_vec_free(&others);
	return known;
}

/*
 * Adds the times of a capture: what --time chooses now of what it chose when
 * the snapshot was made.
 */
static bool
add_times(struct cp_run *run, const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;
	struct cp_filter *f = &run->filter;
	cp_intervals times = { 0 };
	cp_windows windows = { 0 };
	const char *told = o->filter;
	bool known;

	*cp_vec_push(&times) =
	    (struct cp_interval){ q->first_time, q->last_time, q->last_time };
	known = f->windows.len == 0 || narrow(run, o, &times, &f->windows);
	while (known && cp_filter_next_windows(&told, &windows)) {
		known = narrow(run, o, &times, &windows);
		windows.len = 0;
	}
	for (size_t i = 0; i < times.len && known; i++) {
		const struct cp_interval *t = &times.data[i];

		*cp_vec_push(&f->times) =
		    (struct cp_interval){ moved(o, t->from), moved(o, t->last),
			    moved(o, t->to) };
	}
	f->placed++;
	f->outside += times.len == 0;
	cp_vec_free(&times);
	cp_vec_free(&windows);
	return known;
}

void
cp_run_origins_windows(struct cp_run *run)
{
	struct cp_filter *f = &run->filter;

	f->timeless = f->windows.len == 0;
	for (size_t i = 0; i < run->origins.len; i++) {
		const char *told = run->origins.data[i].filter;
		cp_windows windows = { 0 };

		f->timed |= cp_filter_next_windows(&told, &windows);
		cp_vec_free(&windows);
	}
	for (size_t i = 0; i < run->origins.len && f->timed; i++)
		if (has_times(&run->origins.data[i]) &&
		    !add_times(run, &run->origins.data[i]))
			break;
	if (f->placed == 0)
		return;
	/*
	 * What has no time comes after all else, and so do sums that perf wrote
	 * at the end.
	 */
	for (size_t i = 0; i < f->windows.len; i++)
		f->timeless |= f->windows.data[i].to.kind == CP_AT_NONE;
	cp_intervals_unite(&f->times);
	f->times_known = true;
}

void
cp_run_origins_clock(struct cp_run *run)
{
	const struct cp_report_origin *o = run->origins.data;
	uint64_t wall;
	struct cp_info info;

	if (run->origins.len == 1 && has_times(o) && info_of(run, o, &info) &&
	    cp_info_wall_clock(&info, o->quality.first_time, &wall))
		run->rec.info.clock = (struct cp_clock){
			.has_data = true, .tod_ns = wall, .clockid_ns = o->at
		};
}
