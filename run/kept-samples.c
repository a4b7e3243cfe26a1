/* SPDX-License-Identifier: MIT */
/*
 * kept-samples: which samples, threads, CPUs and times the filter keeps.
 */
#include "run/api.h"

/* ------------------------------------------------------------------- time */

static void
moment_settle(
    const struct cp_run *run, struct cp_moment *m, bool wall, uint64_t first)
{
	const struct cp_info *info = &run->rec.info;
	uint64_t wall_of_first;

	if (m->kind == CP_AT_START)
		m->ns += first;
	else if (m->kind == CP_AT_SHARE && info->last_time != CP_NO_TIME &&
		 info->last_time > first)
		m->ns = first + (uint64_t)(m->share *
					   (double)(info->last_time - first));
	else if (m->kind == CP_AT_SHARE)
		cp_diag(run->diags, CP_D_USAGE,
		    "--time in %%: the capture does not say when it ends");
	else if (m->kind == CP_AT_CLOCK && wall &&
		 cp_info_wall_clock(info, first, &wall_of_first))
		m->ns = m->ns + first > wall_of_first
			    ? m->ns + first - wall_of_first
			    : 0;
	else if (wall)
		cp_diag(run->diags, CP_D_USAGE,
		    "--time: the capture does not tell the wall clock");
	if (m->kind != CP_AT_NONE)
		m->kind = CP_AT_CLOCK;
}

static void
times_settle(struct cp_run *run, uint64_t time)
{
	struct cp_filter *f = &run->filter;

	if (!f->times_known) {
		uint64_t first = cp_run_start(run);

		if (first == CP_NO_TIME)
			first = time;
		moment_settle(run, &f->from, f->from_wall, first);
		moment_settle(run, &f->to, f->to_wall, first);
		f->times_known = true;
	}
}

static bool
time_passes(struct cp_run *run, uint64_t time)
{
	const struct cp_filter *f = &run->filter;

	times_settle(run, time);
	if (f->from.kind != CP_AT_NONE && time < f->from.ns)
		return false;
	return f->to.kind == CP_AT_NONE || time <= f->to.ns;
}

/* ------------------------------------------------------------------ tests */

static bool
in_words(const cp_words *w, const char *s)
{
	for (size_t i = 0; i < w->len; i++)
		if (strcmp(w->data[i], s) == 0)
			return true;
	return w->len == 0;
}

static bool
in_ranges(const struct cp_range *r, size_t n, uint32_t v)
{
	for (size_t i = 0; i < n; i++)
		if (v >= r[i].from && v <= r[i].to)
			return true;
	return n == 0;
}

static bool
dso_passes(struct cp_run *run, uint32_t dso)
{
	struct cp_filter *f = &run->filter;
	const struct cp_dso *d = cp_run_dso(run, dso);

	while (f->dso_passes.len <= dso)
		*cp_vec_push(&f->dso_passes) = 0;
	if (f->dso_passes.data[dso] == 0)
		f->dso_passes.data[dso] =
		    1 +
		    (in_words(&f->dsos, d != NULL ? cp_run_string(run, d->name)
						  : "[unknown]") ||
			(d != NULL && in_words(&f->dsos,
					  cp_run_string(run, d->short_name))));
	return f->dso_passes.data[dso] == 2;
}

static bool
symbol_passes(struct cp_run *run, cp_frame_id frame)
{
	const struct cp_symbol *sym = cp_run_symbol_now(run, frame);

	return in_words(
	    &run->filter.symbols, sym != NULL ? sym->name : "[unknown]");
}

static bool
place_passes(struct cp_run *run, const struct cp_sample *s)
{
	const struct cp_filter *f = &run->filter;
	cp_frame_id leaf = cp_stack_frame(run, s->stack);

	if (f->dsos.len != 0 && !dso_passes(run, cp_frame_get(run, leaf)->dso))
		return false;
	return f->symbols.len == 0 || symbol_passes(run, leaf);
}

bool
cp_run_keeps_task(
    const struct cp_run *run, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	const struct cp_filter *f = &run->filter;

	return in_ranges(f->pids.data, f->pids.len, pid) &&
	       in_ranges(f->tids.data, f->tids.len, tid) &&
	       (f->comms.len == 0 ||
		   in_words(&f->comms, cp_run_string(run, comm)));
}

bool
cp_run_keeps_cpu(const struct cp_run *run, uint32_t cpu)
{
	return in_ranges(run->filter.cpus.data, run->filter.cpus.len, cpu);
}

bool
cp_run_keeps_time(struct cp_run *run, uint64_t time)
{
	return run->options->time == NULL || time_passes(run, time);
}

void
cp_run_window(struct cp_run *run, uint64_t *from, uint64_t *to)
{
	const struct cp_filter *f = &run->filter;

	*from = 0;
	*to = UINT64_MAX;
	if (run->options->time == NULL)
		return;
	times_settle(run, 0);
	if (f->from.kind != CP_AT_NONE)
		*from = f->from.ns;
	if (f->to.kind != CP_AT_NONE)
		*to = f->to.ns;
}

bool
cp_filter_pass(struct cp_run *run, const struct cp_sample *s)
{
	struct cp_filter *f = &run->filter;

	if (f->events.len != 0 &&
	    !in_words(&f->events, cp_run_evsel(run, s->evsel)->name))
		return false;
	if (!cp_run_keeps_task(run, s->pid, s->tid, s->comm) ||
	    !cp_run_keeps_cpu(run, s->cpu))
		return false;
	if (f->cgroups.len != 0 &&
	    !in_words(&f->cgroups, cp_run_cgroup(run, s->cgroup)))
		return false;
	if (run->options->time != NULL && !time_passes(run, s->time))
		return false;
	return place_passes(run, s);
}
