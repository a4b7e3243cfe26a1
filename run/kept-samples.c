/* SPDX-License-Identifier: MIT */
/*
 * kept-samples: decides which samples, threads, CPUs and times the filters
 * keep.
 */
#include "run/api.h"
#include "run/event-name.h"

/* CPUs with a greater number are not noted for filter-check.c. */
#define MAX_CPUS_SEEN 65536u

/* ------------------------------------------------------------------- time */

/*
 * Converts the moments of --time once the start of the capture is known.
 * Nothing read before that changes the start.
 */
static void
times_settle(struct cp_run *run)
{
	struct cp_filter *f = &run->filter;
	const struct cp_info *info = &run->rec.info;
	uint64_t first;

	if (f->times_known)
		return;
	first = cp_run_start(run);
	if (first == CP_NO_TIME)
		return;
	cp_moment_settle(&f->from, info, first, run->diags);
	cp_moment_settle(&f->to, info, first, run->diags);
	f->times_known = true;
}

static bool
time_passes(struct cp_run *run, uint64_t time)
{
	const struct cp_filter *f = &run->filter;

	times_settle(run);
	if (!f->times_known)
		return f->from.kind == CP_AT_NONE ||
		       (f->from.kind == CP_AT_CLOCK && time >= f->from.ns);
	if (f->from.kind != CP_AT_NONE && time < f->from.ns)
		return false;
	return f->to.kind == CP_AT_NONE || time <= f->to.ns;
}

bool
cp_run_keeps_time(struct cp_run *run, uint64_t time)
{
	return !run->filter.timed || time_passes(run, time);
}

void
cp_run_window(struct cp_run *run, uint64_t *from, uint64_t *to)
{
	const struct cp_filter *f = &run->filter;

	*from = 0;
	*to = UINT64_MAX;
	if (!f->timed)
		return;
	times_settle(run);
	if (!f->times_known)
		return;
	if (f->from.kind != CP_AT_NONE)
		*from = f->from.ns;
	if (f->to.kind != CP_AT_NONE)
		*to = f->to.ns;
}

/* ------------------------------------------------------------------ tests */

static bool
in_ranges(const struct cp_range *r, size_t n, uint32_t v)
{
	for (size_t i = 0; i < n; i++)
		if (v >= r[i].from && v <= r[i].to)
			return true;
	return n == 0;
}

/*
 * Asks again if the number of events has grown: a pipe may describe more later.
 */
static bool
event_passes(struct cp_run *run, uint32_t event)
{
	struct cp_filter *f = &run->filter;

	if (f->events_known != cp_run_evsel_count(run)) {
		f->events_known = cp_run_evsel_count(run);
		cp_events_choose(run, &f->events);
	}
	return cp_choice_of(&f->events, event) == CP_CHOSEN;
}

static bool
dso_passes(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);

	if (d == NULL)
		return cp_choice_names(&run->filter.dsos, 0, "[unknown]", NULL);
	return cp_choice_names(&run->filter.dsos, dso,
	    cp_run_string(run, d->name), cp_run_string(run, d->short_name));
}

static bool
symbol_passes(struct cp_run *run, cp_frame_id frame)
{
	const struct cp_symbol *sym = cp_run_symbol_now(run, frame);

	return cp_choice_symbol(&run->filter.symbols, sym != NULL ? sym->id : 0,
	    sym != NULL ? sym->name : "[unknown]");
}

static bool
place_passes(struct cp_run *run, const struct cp_sample *s)
{
	const struct cp_filter *f = &run->filter;
	cp_frame_id leaf = cp_stack_frame(run, s->stack);

	if (f->dsos.words.len != 0 &&
	    !dso_passes(run, cp_frame_get(run, leaf)->dso))
		return false;
	return f->symbols.words.len == 0 || symbol_passes(run, leaf);
}

bool
cp_run_keeps_task(
    const struct cp_run *run, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	/* The cast lets a const function store the answers for names. */
	struct cp_filter *f = &((struct cp_run *)(uintptr_t)run)->filter;

	return in_ranges(f->pids.data, f->pids.len, pid) &&
	       in_ranges(f->tids.data, f->tids.len, tid) &&
	       (f->comms.words.len == 0 || cp_choice_names(&f->comms, comm,
					       cp_run_string(run, comm), NULL));
}

bool
cp_run_keeps_cpu(const struct cp_run *run, uint32_t cpu)
{
	return in_ranges(run->filter.cpus.data, run->filter.cpus.len, cpu);
}

/* Notes the CPU for cp_filter_check(). */
static bool
cpu_passes(struct cp_run *run, uint32_t cpu)
{
	struct cp_filter *f = &run->filter;

	if (f->cpus.len == 0)
		return true;
	while (cpu < MAX_CPUS_SEEN && f->cpus_seen.len <= cpu)
		*cp_vec_push(&f->cpus_seen) = false;
	if (cpu < MAX_CPUS_SEEN)
		f->cpus_seen.data[cpu] = true;
	return cp_run_keeps_cpu(run, cpu);
}

static bool
cgroup_passes(struct cp_run *run, uint64_t cgroup)
{
	return cp_choice_names(&run->filter.cgroups,
	    cp_map64_get(&run->session.cgroups, cgroup),
	    cp_run_cgroup(run, cgroup), NULL);
}

bool
cp_filter_pass(struct cp_run *run, const struct cp_sample *s)
{
	const struct cp_filter *f = &run->filter;

	if (f->events.words.len != 0 && !event_passes(run, s->evsel))
		return false;
	if (!cpu_passes(run, s->cpu) ||
	    !cp_run_keeps_task(run, s->pid, s->tid, s->comm))
		return false;
	if (f->cgroups.words.len != 0 && !cgroup_passes(run, s->cgroup))
		return false;
	return cp_run_keeps_time(run, s->time) && place_passes(run, s);
}
