/* SPDX-License-Identifier: MIT */
/* Page faults in three lines, for the overview. */
#include <stdlib.h>

#include "analyses/brief/faults.h"
#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"
#include "analyses/common/tracepoint-fields.h"

/* perf_event.h: PERF_TYPE_SOFTWARE and its kinds of faults. */
enum { SOFTWARE = 1, PAGE_FAULTS = 2, FAULTS_MIN = 5, FAULTS_MAJ = 6 };

/* Events that tell of the same faults, the best first: one kind is counted. */
enum source { ALL_FAULTS, MINOR_AND_MAJOR, EXCEPTIONS, MAJOR_ALONE, SOURCES };

struct faults {
	struct cp_run *run;
	enum source source;
	struct cp_tally *comms, *stacks;
	uint64_t n, major;
};

static const struct cp_probe probes[] = {
	{ "exceptions:page_fault_user", { NULL } },
	{ "exceptions:page_fault_kernel", { NULL } },
	{ NULL, { NULL } },
};

static bool
is_kind(const struct cp_run *run, uint32_t event, uint64_t config)
{
	const struct cp_evsel *e = cp_run_evsel(run, event);

	return e->type == SOFTWARE && e->config == config;
}

/* The best source that the event belongs to; SOURCES: it is no fault. */
static enum source
source_of(const struct cp_run *run, uint32_t event)
{
	if (is_kind(run, event, PAGE_FAULTS))
		return ALL_FAULTS;
	if (is_kind(run, event, FAULTS_MIN))
		return MINOR_AND_MAJOR;
	if (is_kind(run, event, FAULTS_MAJ))
		return MAJOR_ALONE;
	return cp_probes_find(run, probes, event) != CP_NO_ID ? EXCEPTIONS
							      : SOURCES;
}

static bool
recorded(const struct cp_run *run)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (source_of(run, i) != SOURCES)
			return true;
	return false;
}

static void *
begin(struct cp_run *run)
{
	struct faults *f = cp_run_alloc(run, sizeof(*f));

	f->run = run;
	f->source = SOURCES;
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		enum source source = source_of(run, i);

		if (source < f->source && cp_run_keeps_event(run, i))
			f->source = source;
	}
	f->comms = cp_tally_new(run);
	f->stacks = cp_tally_new(run);
	return f;
}

static void
sample(void *state, const struct cp_sample *s)
{
	struct faults *f = state;
	enum source source = source_of(f->run, s->evsel);

	if (source == MAJOR_ALONE)
		f->major += s->period;
	if (source != f->source &&
	    (source != MAJOR_ALONE || f->source != MINOR_AND_MAJOR))
		return;
	f->n += s->period;
	cp_tally_add(f->comms, s->comm, 0, s->period);
	cp_tally_add(f->stacks, cp_stack_frame(f->run, s->stack), 0, s->period);
}

/* The function that faulted most, by the sum of its addresses. */
static void
show_function(struct faults *f, struct cp_brief_lines *l)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->stacks, &rows);
	cp_frame_id *frames = cp_run_alloc(f->run, n * sizeof(*frames));
	struct cp_tally *names = cp_tally_new(f->run);
	const struct cp_tally_row *most;
	struct cp_word part;

	for (size_t i = 0; i < n; i++)
		frames[i] = (cp_frame_id)rows[i].a;
	cp_run_name_frames(f->run, frames, n);
	for (size_t i = 0; i < n; i++) {
		const struct cp_symbol *s = cp_frame_symbol(f->run, frames[i]);

		if (s != NULL)
			cp_tally_add(names, cp_run_intern(f->run, s->name), 0,
			    rows[i].weight);
	}
	most = cp_rows_heaviest(names);
	if (most != NULL)
		cp_brief_line(l, "%.200s has %s of them",
		    cp_run_string(f->run, (cp_string_id)most->a),
		    cp_word_percent(&part, (double)most->weight, (double)f->n));
}

static void
show(void *state, struct cp_brief_lines *l)
{
	struct faults *f = state;
	const struct cp_tally_row *comm = cp_rows_heaviest(f->comms);
	struct cp_word n, part;

	cp_brief_line(
	    l, "%s page fault%s", cp_word_count(&n, f->n), cp_word_s(f->n));
	if (f->major != 0)
		cp_brief_line(l, "%s had to be read from a disk",
		    cp_word_count(&n, f->major));
	if (comm == NULL)
		return;
	cp_brief_line(l, "%.64s had %s of them",
	    cp_run_string(f->run, (cp_string_id)comm->a),
	    cp_word_percent(&part, (double)comm->weight, (double)f->n));
	show_function(f, l);
}

const struct cp_brief_part cp_faults_brief = {
	.command = "faults",
	.what = "page faults",
	.record = CP_ADVICE_faults,
	.recorded = recorded,
	.begin = begin,
	.sample = sample,
	.show = show,
};
