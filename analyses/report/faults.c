/* SPDX-License-Identifier: MIT */
/* What page faults say in the overview. */
#include "analyses/report/report.h"

#include "analyses/common/call-paths.h"

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

static int
begin(struct cp_run *run, void *state)
{
	struct faults *f = state;

	f->run = run;
	f->source = SOURCES;
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		enum source source = source_of(run, i);

		if (source < f->source && cp_run_keeps_event(run, i))
			f->source = source;
	}
	f->comms = cp_tally_new(run);
	f->stacks = cp_tally_new(run);
	return CP_OK;
}

static int
sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct faults *f = state;
	enum source source = source_of(f->run, s->evsel);

	if (source == MAJOR_ALONE)
		f->major += s->period;
	if (source != f->source &&
	    (source != MAJOR_ALONE || f->source != MINOR_AND_MAJOR))
		return CP_OK;
	f->n += s->period;
	cp_tally_add(f->comms, s->comm, 0, s->period);
	cp_tally_add(f->stacks, cp_stack_frame(f->run, s->stack), 0, s->period);
	return CP_OK;
}

/* The function that faulted most, by the sum of its addresses. */
static void
tell_function(struct faults *f, struct cp_accounts *a)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(f->stacks, &rows);
	cp_frame_id *frames = cp_run_alloc(f->run, n * sizeof(*frames));
	struct cp_tally *names = cp_tally_new(f->run);
	const struct cp_tally_row *most;

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
		cp_accounts_add(a,
		    CP_ACCOUNT(FAULTS_IN,
			.where = cp_run_string(f->run, (cp_string_id)most->a),
			.share = cp_percent_exact(most->weight, f->n)));
}

static void
tell(void *state, struct cp_accounts *a)
{
	struct faults *f = state;
	const struct cp_tally_row *comm = cp_rows_heaviest(f->comms);

	cp_accounts_add(a, CP_ACCOUNT(FAULTS, .n = f->n));
	if (f->major != 0)
		cp_accounts_add(a, CP_ACCOUNT(FAULTS_MAJOR, .n = f->major));
	if (comm == NULL)
		return;
	cp_accounts_add(
	    a, CP_ACCOUNT(FAULTS_OF,
		   .who = cp_run_string(f->run, (cp_string_id)comm->a),
		   .share = cp_percent_exact(comm->weight, f->n)));
	tell_function(f, a);
}

const struct cp_teller cp_faults_teller = {
	.command = "faults",
	.what = "page faults",
	.record = CP_ADVICE_faults,
	.recorded = recorded,
	.size = sizeof(struct faults),
	.begin = begin,
	.sample = sample,
	.tell = tell,
};
