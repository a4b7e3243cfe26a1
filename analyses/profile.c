/* SPDX-License-Identifier: MIT */
/*
 * profile: the samples themselves, as input for other programs.
 *
 * It holds all samples of all events with time, thread, CPU, stack and weight,
 * and the rows that these refer to (coldperf/profile.h).  As text it shows the
 * number of rows; formats that hold samples get the profile with every report.
 *
 * While the capture is read, samples are packed ids.  Names are looked up at
 * its end, for used frames only.  An analysis of several captures puts all of
 * them in one profile.
 */
#include <coldperf/profile.h>

#include <stdlib.h>

#include "analyses/common/event.h"
#include "analyses/profile/code.h"
#include "analyses/profile/contexts.h"
#include "analyses/profile/events.h"
#include "analyses/profile/marks.h"
#include "analyses/profile/samples.h"
#include "analyses/profile/states.h"
#include "analyses/profile/threads.h"

/* Samples and marks that are kept: 4 GiB of columns at most. */
#define MAX_ROWS (100u << 20)

#define WANTS (CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES | CP_WANT_SPOTS)

struct profile {
	struct cp_run *run;
	/* The profile of all captures if there are several; else NULL. */
	struct cp_profile *out;
	struct cp_packed samples;
	struct cp_threads threads;
	struct cp_contexts contexts;
	struct cp_marks marks;
	struct cp_states states;
	bool *used; /* by stack: a sample has it */
	uint32_t used_cap;
	struct cp_event_sum_of *events; /* by index */
	uint32_t n_events, events_cap;
	uint64_t left_out; /* samples beyond MAX_ROWS */
};

static void
capture_begin(struct profile *p, uint32_t first_thread, uint32_t first_context)
{
	struct cp_run *run = p->run;

	*p = (struct profile){
		.run = run, .out = p->out, .samples = p->samples
	};
	cp_threads_init(&p->threads, run);
	p->threads.first = first_thread;
	cp_contexts_init(&p->contexts, run);
	p->contexts.first = first_context;
	cp_marks_init(&p->marks, run, MAX_ROWS);
	cp_states_init(&p->states, run, MAX_ROWS);
}

static int
profile_begin(struct cp_run *run, void *state)
{
	struct profile *p = state;

	p->run = run;
	cp_packed_init(&p->samples, run);
	capture_begin(p, 0, 0);
	if (cp_run_sample_labels(run) || cp_states_wants(run) != 0)
		cp_run_wants(
		    run, WANTS | cp_states_wants(run) |
			     (cp_run_sample_labels(run) ? CP_WANT_RAW : 0));
	return CP_OK;
}

static void
count(struct profile *p, const struct cp_sample *s)
{
	cp_grow_to(p->run, p->events, &p->events_cap, s->evsel);
	if (s->evsel >= p->n_events)
		p->n_events = s->evsel + 1;
	p->events[s->evsel].samples++;
	p->events[s->evsel].weight += s->weight;
}

static int
profile_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct profile *p = state;

	if (!s->kept)
		return CP_OK;
	if (p->samples.n >= MAX_ROWS) {
		p->left_out++;
		return CP_OK;
	}
	if (!cp_event_counts(run, s->evsel))
		return CP_OK;
	count(p, s);
	cp_grow_to(run, p->used, &p->used_cap, s->stack);
	p->used[s->stack] = true;
	cp_packed_add(&p->samples,
	    &(struct cp_profile_sample){
		.time = cp_event_moment(s),
		.weight = s->weight,
		.stack = s->stack,
		.thread = cp_threads_row(&p->threads, s->pid, s->tid, s->comm),
		.event = s->evsel,
		.cpu = s->cpu,
		.context = cp_contexts_row(&p->contexts, s),
	    });
	return CP_OK;
}

static int
profile_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct profile *p = state;

	cp_threads_event(&p->threads, e);
	cp_marks_add(&p->marks, &p->threads, e);
	return CP_OK;
}

/* Names the frames of all stacks that samples and states have. */
static void
name_stacks(struct profile *p)
{
	size_t count = cp_stack_count(p->run), n = 0;
	bool *used = cp_run_alloc(p->run, (count + 1) * sizeof(*used));
	cp_stack_id *stacks;

	for (size_t i = 0; i < count && i < p->used_cap; i++)
		used[i] = p->used[i];
	cp_states_end(&p->states, used);
	for (size_t i = 0; i < count; i++)
		n += used[i];
	stacks = cp_run_alloc(p->run, (n + 1) * sizeof(*stacks));
	n = 0;
	for (size_t i = 0; i < count; i++)
		if (used[i])
			stacks[n++] = (cp_stack_id)i;
	cp_run_name(p->run, stacks, n);
}

struct place {
	/* its own time, or that of the last sample that has one */
	uint64_t time;
	uint64_t number;
	struct cp_profile_sample sample;
};

static int
compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void
show_sample(const struct profile *p, struct cp_code_rows *code,
    const uint32_t *event, struct cp_profile_sample s)
{
	s.stack = cp_code_stack(code, s.stack);
	s.event = event[s.event];
	s.thread = cp_threads_number(&p->threads, s.thread);
	s.context = cp_contexts_number(&p->contexts, s.context);
	cp_profile_sample(code->profile, &s);
}

/* Adds the samples of a capture whose records are not in order. */
static void
show_sorted(struct profile *p, struct cp_packed_reader *r,
    struct cp_code_rows *code, const uint32_t *event)
{
	struct place *all = cp_run_alloc(p->run, p->samples.n * sizeof(*all));
	struct cp_profile_sample s;
	uint64_t time = 0;
	size_t n = 0;

	while (cp_packed_next(r, &s)) {
		time = s.time != CP_NO_TIME ? s.time : time;
		all[n] = (struct place){ time, n, s };
		n++;
	}
	qsort(all, n, sizeof(*all), compare_places);
	for (size_t i = 0; i < n; i++)
		show_sample(p, code, event, all[i].sample);
}

static void
show_samples(
    struct profile *p, struct cp_code_rows *code, const uint32_t *event)
{
	struct cp_packed_reader r;
	struct cp_profile_sample s;

	cp_packed_read(&r, &p->samples);
	if (!p->samples.ordered)
		show_sorted(p, &r, code, event);
	else
		while (cp_packed_next(&r, &s))
			show_sample(p, code, event, s);
	if (r.failed)
		cp_run_diag(p->run, CP_D_OUTPUT,
		    "the temporary file of the samples cannot be read");
	cp_packed_end(&r);
}

static void
show_contents(const struct profile *p, const struct cp_code_rows *code,
    uint32_t marks, struct cp_report *rep)
{
	const struct {
		const char *key;
		uint64_t value;
	} all[] = {
		{ "samples", p->samples.n },
		{ "threads", p->threads.keys.n },
		{ "stacks", code->stacks },
		{ "frames", code->frames },
		{ "symbols", code->symbols },
		{ "objects", code->objects },
		{ "marks", marks },
		{ "states", p->states.n },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		cp_report_scalar(
		    rep, "profile", all[i].key, CP_COL_COUNT, all[i].value);
}

static void
show_events(const struct profile *p, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Samples"),
		CP_COUNT("Weight"), CP_TEXT("Unit"), CP_TEXT("Event") };
	struct cp_table *t = NULL;

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (p->events[i].samples == 0)
			continue;
		if (t == NULL) {
			t = cp_report_table(
			    rep, "profile-events", "Samples by event", NULL, 0);
			cp_table_columns(t, CP_COLUMNS(columns));
		}
		cp_table_add(t, p->events[i].samples, p->events[i].weight,
		    cp_event_unit(p->run, cp_run_evsel(p->run, i)),
		    cp_event_name(p->run, i));
	}
}

/* Adds the rows of a capture; returns the number of marks. */
static uint32_t
show_rows(struct profile *p, struct cp_code_rows *code, struct cp_profile *out)
{
	const uint32_t *event;

	name_stacks(p);
	cp_code_init(code, p->run, out);
	cp_code_stacks(code, p->used, p->used_cap);
	event = cp_profile_events_show(out, p->run, p->events, p->n_events);
	show_samples(p, code, event);
	cp_states_show(&p->states, &p->threads, code, out);
	cp_threads_show(&p->threads, out);
	cp_contexts_show(&p->contexts, code);
	if (p->left_out + p->states.left_out != 0)
		cp_run_diag(p->run, CP_D_LIMIT,
		    "%u samples and states of threads are kept; left out: "
		    "%llu and %llu",
		    MAX_ROWS, (unsigned long long)p->left_out,
		    (unsigned long long)p->states.left_out);
	return cp_marks_show(&p->marks, &p->threads, out);
}

/* Returns the capture with the time window that the filters keep. */
static struct cp_profile_capture
capture_of(struct cp_run *run)
{
	const struct cp_quality *q = cp_run_quality(run);
	const char *path = cp_run_fact(run, "path");
	struct cp_profile_capture c = { path != NULL ? path : "", CP_NO_TIME,
		CP_NO_TIME };
	uint64_t from, to;

	if (q->first_time == CP_NO_TIME)
		return c;
	cp_run_window(run, &from, &to);
	c.start = from > q->first_time ? from : q->first_time;
	c.end = to < q->last_time ? to : q->last_time;
	return c;
}

static int
profile_capture(struct cp_run *run, void *state, uint32_t index)
{
	struct profile *p = state;
	struct cp_report *rep = cp_run_report(run);
	struct cp_profile_capture capture;
	struct cp_code_rows code;

	(void)index;
	if (rep == NULL)
		return CP_OK;
	if (p->out == NULL)
		p->out = cp_report_profile(rep, "samples", "Samples");
	show_rows(p, &code, p->out);
	capture = capture_of(run);
	cp_profile_capture(p->out, &capture);
	cp_packed_clear(&p->samples);
	capture_begin(p, p->threads.first + p->threads.keys.n,
	    p->contexts.first + p->contexts.all.n);
	return CP_OK;
}

static int
profile_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct profile *p = state;
	struct cp_code_rows code;
	struct cp_profile *out;
	uint32_t marks;

	(void)run;
	if (p->out != NULL) {
		cp_profile_in_order(p->out);
		return CP_OK;
	}
	out = cp_report_profile(rep, "samples", "Samples");
	cp_profile_expect(out, p->samples.n);
	marks = show_rows(p, &code, out);
	show_contents(p, &code, marks, rep);
	show_events(p, rep);
	return CP_OK;
}

CP_ANALYSIS_DEFINE(profile) = {
	.abi = CP_ABI,
	.name = "profile",
	.summary = "the samples themselves, for other programs",
	.wants = WANTS | CP_WANT_MERGED,
	.state_size = sizeof(struct profile),
	.begin = profile_begin,
	.sample = profile_sample,
	.event = profile_event,
	.capture = profile_capture,
	.finish = profile_finish,
};
