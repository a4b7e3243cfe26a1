/* SPDX-License-Identifier: MIT */
/*
 * kept-samples: decides which samples, threads, CPUs and times the filters
 * keep.
 */
#include "base/strings.h"
#include "run/api.h"

/* ------------------------------------------------------------------- time */

/*
 * Returns the times that are kept once the start of the capture is known;
 * nothing read before that changes the start.  NULL: not yet, or all are kept.
 */
static const cp_intervals *
times_of(struct cp_run *run)
{
	struct cp_filter *f = &run->filter;
	uint64_t first;

	if (!f->timed || f->times_known)
		return f->timed ? &f->times : NULL;
	first = cp_run_start(run);
	if (first == CP_NO_TIME)
		return NULL;
	f->times_known = true;
	(void)cp_windows_settle(
	    &f->windows, &run->rec.info, first, run->diags, &f->times);
	return &f->times;
}

bool
cp_run_keeps_time(struct cp_run *run, uint64_t time)
{
	const cp_intervals *times = times_of(run);

	if (times != NULL)
		return cp_intervals_touch(times, time, time) ||
		       (run->filter.timeless && time > INT64_MAX);
	for (size_t i = 0; i < run->filter.windows.len; i++) {
		const struct cp_moment *from =
		    &run->filter.windows.data[i].from;

		if (from->kind == CP_AT_NONE ||
		    (from->kind == CP_AT_CLOCK && time >= from->ns))
			return true;
	}
	return !run->filter.timed;
}

bool
cp_run_keeps_some(struct cp_run *run, uint64_t start, uint64_t end)
{
	const cp_intervals *times = times_of(run);

	return times == NULL || cp_intervals_touch(times, start, end);
}

bool
cp_run_cut(struct cp_run *run, uint64_t *start, uint64_t *end)
{
	const cp_intervals *times = times_of(run);

	return times == NULL ? *start < *end
			     : cp_intervals_cut(times, start, end);
}

uint64_t
cp_run_kept_ns(struct cp_run *run, uint64_t start, uint64_t end)
{
	uint64_t ns = 0, stop;

	for (stop = end; cp_run_cut(run, &start, &stop);
	     start = stop, stop = end)
		ns += stop - start;
	return ns;
}

void
cp_run_window(struct cp_run *run, uint64_t *from, uint64_t *to)
{
	const cp_intervals *times = times_of(run);

	*from = 0;
	*to = UINT64_MAX;
	if (times != NULL && times->len != 0) {
		*from = times->data[0].from;
		*to = times->data[times->len - 1].to;
	} else if (times != NULL) {
		/* None is after all of them. */
		*from = run->quality.last_time + 1;
		*to = run->quality.last_time;
	}
}

/* Is there a capture of those added up whose samples have no times? */
static bool
any_untimed(const struct cp_run *run)
{
	for (size_t i = 0; i < run->origins.len; i++) {
		const struct cp_quality *q = &run->origins.data[i].quality;

		if (q->first_time == CP_NO_TIME && q->samples_kept != 0)
			return true;
	}
	return false;
}

uint64_t
cp_run_window_length(struct cp_run *run)
{
	const struct cp_quality *q = &run->quality;

	if (q->first_time == CP_NO_TIME || any_untimed(run))
		return 0;
	return cp_run_kept_ns(run, q->first_time, q->last_time);
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

bool
cp_run_keeps_event(struct cp_run *run, uint32_t evsel)
{
	return run->filter.events.words.len == 0 || event_passes(run, evsel);
}

/*
 * The kernel has one of several names, by where the recorder found it: it fits
 * all of them.
 */
bool
cp_filter_pass_object(struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);
	const char *names[] = { "[unknown]", NULL, "[kernel.kallsyms]",
		"vmlinux", NULL };
	bool kernel = d != NULL && d->kind == CP_DSO_KERNEL;

	if (d != NULL) {
		names[0] = cp_run_string(run, d->name);
		names[1] = cp_run_string(run, d->short_name);
		names[4] = cp_basename(names[0]);
	}
	return cp_choice_names(&run->filter.dsos, d != NULL ? dso : 0, names,
	    d == NULL ? 1
	    : kernel  ? CP_ARRAY_LEN(names)
		      : 2);
}

/* Does the function fit, or one that is inlined at the address? */
static bool
symbol_passes(struct cp_run *run, struct cp_choice *choice, cp_frame_id frame)
{
	const struct cp_symbol *sym = cp_run_symbol_now(run, frame);
	const struct cp_spot *spots;
	bool passes;
	size_t n;

	/* A function without a name is called gzip+0x4300. */
	if (sym == NULL && cp_choice_has(choice, "+0x"))
		sym = cp_frame_function(run, frame);
	passes = cp_choice_symbol(run, choice, sym);
	if (run->options->inlines != CP_INLINE_NO)
		cp_run_spot_frames(run, &frame, 1, false);
	n = cp_frame_spots(run, frame, &spots);
	for (size_t i = 0; i < n; i++)
		if (spots[i].symbol != NULL &&
		    cp_choice_symbol(run, choice, spots[i].symbol))
			passes = true;
	return passes;
}

/* Does a function of the stack fit?  What is asked once is kept. */
static bool
focus_passes(struct cp_run *run, cp_stack_id stack)
{
	enum { UNKNOWN, NO, YES };
	struct cp_filter *f = &run->filter;
	cp_stack_id at = stack;
	uint8_t found = NO;

	while (f->focused.len < cp_stack_count(run))
		*cp_vec_push(&f->focused) = UNKNOWN;
	while (at != 0 && f->focused.data[at] == UNKNOWN &&
	       !symbol_passes(run, &f->focus, cp_stack_frame(run, at)))
		at = cp_stack_parent(run, at);
	if (at != 0 && f->focused.data[at] == UNKNOWN)
		f->focused.data[at] = YES;
	if (at != 0)
		found = f->focused.data[at];
	for (; stack != at; stack = cp_stack_parent(run, stack))
		f->focused.data[stack] = found;
	return found == YES;
}

static bool
pid_passes(const struct cp_run *run, uint32_t pid)
{
	return in_ranges(run->filter.pids.data, run->filter.pids.len, pid);
}

static bool
tid_passes(const struct cp_run *run, uint32_t tid)
{
	return in_ranges(run->filter.tids.data, run->filter.tids.len, tid);
}

static bool
comm_passes(const struct cp_run *run, cp_string_id comm)
{
	/* The cast lets a const function store the answers for names. */
	struct cp_filter *f = &((struct cp_run *)(uintptr_t)run)->filter;

	return f->comms.words.len == 0 ||
	       cp_choice_name(&f->comms, comm, cp_run_string(run, comm));
}

bool
cp_run_keeps_task(
    const struct cp_run *run, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	return pid_passes(run, pid) && tid_passes(run, tid) &&
	       comm_passes(run, comm);
}

bool
cp_run_keeps_cpu(const struct cp_run *run, uint32_t cpu)
{
	return in_ranges(run->filter.cpus.data, run->filter.cpus.len, cpu);
}

/* The name of a control group: its path, or else its number. */
static cp_string_id
cgroup_name(struct cp_run *run, uint64_t cgroup)
{
	const char *path = cp_run_cgroup(run, cgroup);
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, cgroup);
	if (cgroup == 0)
		return 0;
	return cp_run_intern(run, path != NULL ? path : number);
}

static bool
cgroup_passes(struct cp_run *run, uint64_t cgroup)
{
	cp_string_id name = cgroup_name(run, cgroup);

	return cp_choice_name(
	    &run->filter.cgroups, name, cp_run_string(run, name));
}

static const struct cp_frame *
leaf_of(const struct cp_run *run, const struct cp_sample *s)
{
	return cp_frame_get(run, cp_stack_frame(run, s->stack));
}

static bool
passes(struct cp_run *run, const struct cp_sample *s, enum cp_filter_kind kind)
{
	switch (kind) {
	case CP_FILTER_EVENT: return event_passes(run, s->evsel);
	case CP_FILTER_CPU: return cp_run_keeps_cpu(run, s->cpu);
	case CP_FILTER_PID: return pid_passes(run, s->pid);
	case CP_FILTER_TID: return tid_passes(run, s->tid);
	case CP_FILTER_COMM: return comm_passes(run, s->comm);
	case CP_FILTER_CGROUP: return cgroup_passes(run, s->cgroup);
	case CP_FILTER_TIME:
		return s->time != CP_NO_TIME && cp_run_keeps_time(run, s->time);
	case CP_FILTER_PAYLOAD: return cp_payload_filters_pass(run, s);
	case CP_FILTER_DSO:
		return cp_filter_pass_object(run, leaf_of(run, s)->dso);
	case CP_FILTER_SYMBOL:
		return symbol_passes(
		    run, &run->filter.symbols, cp_stack_frame(run, s->stack));
	default: return focus_passes(run, s->stack);
	}
}

/* ------------------------------------------------------- until one passes */

static uint64_t
number_of(
    struct cp_run *run, const struct cp_sample *s, enum cp_filter_kind kind)
{
	switch (kind) {
	case CP_FILTER_EVENT: return s->evsel;
	case CP_FILTER_CPU: return s->cpu;
	case CP_FILTER_PID: return s->pid;
	case CP_FILTER_TID: return s->tid;
	case CP_FILTER_COMM: return s->comm;
	case CP_FILTER_CGROUP: return cgroup_name(run, s->cgroup);
	case CP_FILTER_DSO: return leaf_of(run, s)->dso;
	case CP_FILTER_SYMBOL:
	case CP_FILTER_FOCUS: return cp_stack_frame(run, s->stack);
	default: return 0;
	}
}

static void
note_time(struct cp_run *run, uint64_t time)
{
	struct cp_filter_tally *t = &run->filter.tally;
	uint64_t from, to;

	cp_run_window(run, &from, &to);
	if (time == CP_NO_TIME)
		return;
	if (time < from && (t->before == CP_NO_TIME || time > t->before))
		t->before = time;
	if (time > to && (t->after == CP_NO_TIME || time < t->after))
		t->after = time;
}

/* Asks all filters, and notes the answers for cp_filter_none(). */
static void
pass_and_note(struct cp_run *run, struct cp_sample *s)
{
	struct cp_filter_tally *t = &run->filter.tally;
	bool all = true;

	t->samples++;
	for (unsigned i = 0; i < run->filter.n_given; i++) {
		enum cp_filter_kind k = run->filter.given[i];
		bool ok;

		/*
		 * Samples that other filters drop are not named, which would
		 * cost too much.
		 */
		if (k >= CP_FILTER_SYMBOL && !(run->want_all ? s->chosen : all))
			break;
		if (k == CP_FILTER_TIME)
			note_time(run, s->time);
		t->asked_symbols += k >= CP_FILTER_SYMBOL;
		++*cp_map64_put(&t->seen[k], number_of(run, s, k));
		ok = passes(run, s, k);
		all &= ok;
		s->chosen &= ok || k == CP_FILTER_TIME;
		t->alone[k] += ok;
		t->left[k] += all;
	}
	s->kept = all;
}

void
cp_filter_pass(struct cp_run *run, struct cp_sample *s)
{
	const struct cp_filter *f = &run->filter;

	if (run->quality.samples_kept == 0) {
		pass_and_note(run, s);
		return;
	}
	for (unsigned i = 0; i < f->n_given && s->chosen; i++) {
		if (passes(run, s, f->given[i]))
			continue;
		s->kept = false;
		s->chosen = f->given[i] == CP_FILTER_TIME && run->want_all;
	}
}
