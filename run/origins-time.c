/* SPDX-License-Identifier: MIT */
/*
 * origins-time: the clock of each capture in a snapshot, and what --time
 * chooses of it: now, and before, when the snapshot was made.
 */
#include <stdlib.h>

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

/* Where no sample can be, from is after to. */
static struct cp_filter_window
window_of(const struct cp_report_origin *o, const struct cp_moment *from,
    const struct cp_moment *to)
{
	const struct cp_quality *q = &o->quality;
	uint64_t first = from->kind != CP_AT_NONE ? from->ns : 0;
	uint64_t last = to->kind != CP_AT_NONE ? to->ns : UINT64_MAX;

	if (first > q->last_time || last < q->first_time || first > last)
		return (struct cp_filter_window){ o->at, 1, 0 };
	return (
	    struct cp_filter_window){ o->at, moved(o, first), moved(o, last) };
}

static bool
has_times(const struct cp_report_origin *o)
{
	const struct cp_quality *q = &o->quality;

	return o->at <= INT64_MAX && q->first_time <= q->last_time &&
	       q->last_time <= INT64_MAX;
}

static int
earlier(const void *a, const void *b)
{
	const struct cp_filter_window *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Leaves of the window what another keeps, too.  False: it is not known. */
static bool
narrow(struct cp_run *run, const struct cp_report_origin *o,
    struct cp_filter_window *w, struct cp_moment from, struct cp_moment to)
{
	struct cp_filter_window other;
	struct cp_info info;

	if (!info_of(run, o, &info) ||
	    !cp_moment_settle(&from, &info, info.first_time, run->diags) ||
	    !cp_moment_settle(&to, &info, info.first_time, run->diags))
		return false;
	other = window_of(o, &from, &to);
	w->from = CP_MAX(w->from, other.from);
	w->to = CP_MIN(w->to, other.to);
	return true;
}

/* Does the row tell a --time?  Its samples are those of that window. */
static bool
was_timed(const struct cp_report_origin *o)
{
	const char *told = o->filter;
	struct cp_buf b;
	bool any;

	cp_buf_init(&b, SIZE_MAX / 2);
	any = cp_filter_next_window(&told, &b);
	cp_buf_free(&b);
	return any;
}

/*
 * Adds the window of a capture: the part of --time now that lies in the window
 * of its row.
 */
static bool
add_window(struct cp_run *run, const struct cp_report_origin *o)
{
	struct cp_filter *f = &run->filter;
	struct cp_filter_window w = { o->at, 0, UINT64_MAX };
	struct cp_moment from, to;
	const char *told = o->filter;
	struct cp_buf b;
	bool known = narrow(run, o, &w, f->from, f->to);

	cp_buf_init(&b, SIZE_MAX / 2);
	while (known && cp_filter_next_window(&told, &b))
		if (cp_window_parse(cp_buf_text(&b), &from, &to))
			known = narrow(run, o, &w, from, to);
	cp_buf_free(&b);
	if (known)
		*cp_vec_push(&f->windows) = w;
	return known;
}

void
cp_run_origins_windows(struct cp_run *run)
{
	struct cp_filter *f = &run->filter;

	for (size_t i = 0; i < run->origins.len; i++)
		f->timed |= was_timed(&run->origins.data[i]);
	for (size_t i = 0; i < run->origins.len && f->timed; i++)
		if (has_times(&run->origins.data[i]) &&
		    !add_window(run, &run->origins.data[i]))
			break;
	if (f->windows.len != 0)
		qsort(f->windows.data, f->windows.len, sizeof(*f->windows.data),
		    earlier);
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
