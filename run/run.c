/* SPDX-License-Identifier: MIT */
/*
 * run: the pass over a capture: reader -> order -> session -> filter ->
 * analyses. Names are looked up and sections written when everything was read.
 */
#include "run/api.h"

#include <time.h>

#include "base/caps/caps.h"
#include "model/script-names.h"
#include "readers/list.h"
#include "run/facts/facts.h"
#include "run/import/import.h"
#include "run/tables-rows.h"
#include "symbolize/bounds/bounds.h"
#include "symbolize/symbolize.h"
#include "symbolize/unwind/unwind.h"

/* Records between two calls of cp_run_options.progress. */
enum { PROGRESS_RECORDS = 1 << 16 };

/* Returns the weight of a sample by --weight. */
static uint64_t
weight_of(struct cp_run *run, const struct cp_sample *s)
{
	if (run->options->weight == CP_WEIGHT_SAMPLES)
		return 1;
	/* Tables have counted it. */
	if (run->options->weight == CP_WEIGHT_PERIOD ||
	    (run->options->weight == CP_WEIGHT_TIME && run->tables != NULL))
		return s->period;
	if (run->options->weight == CP_WEIGHT_FIELD)
		return s->kept ? s->weight : 0;
	if (run->options->weight == CP_WEIGHT_LATENCY)
		return cp_run_weigh_latency(run, s);
	return cp_run_weigh_time(cp_run_evsel(run, s->evsel), s);
}

/* Passes a weighed sample to the tasks. */
static inline int
give(struct cp_run *run, struct cp_sample *s)
{
	int status = CP_OK;

	s->event = cp_run_event_of(run, s->evsel);
	if (s->kept) {
		if (CP_UNLIKELY(s->weight >
				CP_MAX_WEIGHTS - run->quality.weight_kept)) {
			/*
			 * Periods were checked where they were counted: this is
			 * a field of --weight, a row of a snapshot, or one of
			 * several captures.
			 */
			cp_diag_at(run->diags, CP_D_PERIOD,
			    run->at != NULL ? run->at->offset : CP_NO_OFFSET,
			    "%" PRIu64, s->weight);
			s->weight = s->period = 0;
		}
		while (run->kept.len <= s->evsel)
			*cp_vec_push(&run->kept) = 0;
		run->kept.data[s->evsel]++;
		run->quality.samples_kept++;
		run->quality.weight_kept += s->weight;
		run->quality.weight_sq += (double)s->weight * (double)s->weight;
		if (run->leaves != NULL)
			cp_tally_add(run->leaves, s->event,
			    cp_stack_frame(run, s->stack), s->weight);
	}
	for (size_t i = 0; i < run->tasks.len && status == CP_OK; i++) {
		struct cp_task *t = &run->tasks.data[i];

		if (t->analysis->sample == NULL ||
		    (!s->kept && !(t->wants & CP_WANT_ALL)))
			continue;
		run->current = t;
		status = t->analysis->sample(run, t->state, s);
	}
	return status;
}

int
cp_run_give(struct cp_run *run, struct cp_sample *s)
{
	s->kept = s->chosen = true;
	if (run->spans != NULL)
		cp_run_spans_sample(run, s);
	return give(run, s);
}

static int
take_sample(struct cp_run *run, const struct cp_queued *q, struct cp_sample *s)
{
	int status;

	if (run->spans != NULL)
		cp_run_spans_sample(run, s);
	s->weight = weight_of(run, s);
	if (CP_UNLIKELY(run->options->max_stack != 0))
		s->stack = cp_run_max_stack(run, s->stack);
	status = give(run, s);
	if (run->tap != NULL && s->kept && status == CP_OK)
		status = run->tap(run->tap_ctx, run, q, s);
	return status;
}

/* Passes on a sample that has no record. */
static int
pass_row(struct cp_run *run, struct cp_sample *s)
{
	cp_run_starts(run, s->time);
	s->kept = s->chosen = true;
	if (run->filter.any)
		cp_filter_pass(run, s);
	return s->kept || run->want_all ? take_sample(run, NULL, s) : CP_OK;
}

/* Applies the filters and passes the sample on. */
static inline int
pass_sample(struct cp_run *run, const struct cp_queued *q, struct cp_sample *s)
{
	cp_run_starts(run, s->time);
	if (CP_UNLIKELY(run->session.script != NULL))
		cp_script_names_time(run->session.script, s->time);
	s->kept = s->chosen = true;
	if (CP_UNLIKELY(run->filter.any))
		cp_filter_pass(run, s);
	if (CP_UNLIKELY(run->options->weight == CP_WEIGHT_FIELD) && s->kept &&
	    !cp_run_weigh(run, s))
		s->kept = s->chosen = false;
	return s->kept || run->want_all ? take_sample(run, q, s) : CP_OK;
}

static int
sink_ready(void *ctx, const struct cp_queued *q)
{
	struct cp_run *run = ctx;
	struct cp_sample s;
	uint32_t cursor = 0;
	int status = CP_OK;
	bool any = false;

	run->at = q;
	if (CP_UNLIKELY(q->type16 != CP_RECORD_SAMPLE)) {
		(void)cp_session_apply(&run->session, q, &cursor, &s);
		return cp_run_sideband(run, q);
	}
	while (cp_session_apply(&run->session, q, &cursor, &s)) {
		status = pass_sample(run, q, &s);
		any = true;
		/*
		 * Only a record that reads several counters makes several
		 * samples.
		 */
		if (q->event == NULL || status != CP_OK)
			break;
	}
	if (CP_UNLIKELY(!any && run->tap_uncounted) && q->evsel != CP_NO_ID) {
		cp_session_uncounted(&run->session, q, &s);
		status = run->tap(run->tap_ctx, run, q, &s);
	}
	return status;
}

static int
sink(void *ctx, const struct cp_queued *q)
{
	struct cp_run *run = ctx;
	struct cp_sample s;

	if (CP_UNLIKELY(!q->plain)) {
		if (q->deferred)
			return cp_session_defer(
			    &run->session, q, sink_ready, run);
		if (q->type16 == CP_RECORD_CALLCHAIN_DEFERRED)
			return cp_session_undefer(
			    &run->session, q->event, sink_ready, run);
		return sink_ready(run, q);
	}
	run->at = q;
	cp_session_plain(&run->session, q, &s);
	return pass_sample(run, q, &s);
}

static int
capture_open(struct cp_run *run, const char *path)
{
	run->path = path;
	memcpy(run->said, run->diags->count, sizeof(run->said));
	cp_info_init(&run->rec.info);
	cp_session_init(&run->session, &run->rec, &run->quality, run->diags);
	run->session.stacks.max =
	    (uint32_t)CP_MIN(cp_cap(CP_CAP_STACKS), UINT32_MAX / 4);
	run->session.max_counters =
	    CP_MIN(cp_cap(CP_CAP_COUNTERS), UINT32_MAX / 4);
	run->session.jit_open = cp_run_jit_open;
	run->session.jit_ctx = run;
	run->session.script = cp_perf_script_open(run->options->symbols.data,
	    run->options->symbols.len, &run->session.strings);
	run->session.cgroups_ahead = cp_run_cgroups_ahead;
	run->session.cgroups_ctx = run;
	cp_order_init(&run->order, &run->rec.evsels, &run->session.chains,
	    &run->quality, run->diags, sink, run);
	if (cp_filter_init(&run->filter, run->options, run->diags) != CP_OK)
		return CP_FAIL;
	if (run->options->redact != NULL) {
		if (cp_run_open_redacted(run, path) != CP_OK)
			return CP_FAIL;
	} else if (cp_capture_open_any(&run->capture, path,
		       !run->options->no_cache, run->options->tables, &run->rec,
		       &run->quality, run->diags) != CP_OK) {
		return CP_FAIL;
	}
	if (run->capture.only_tables)
		return cp_tables_open(run);
	if (run->capture.profile != CP_PROFILE_NONE)
		return cp_import_open(run);
	if (cp_run_formats(run, path) != CP_OK)
		return CP_FAIL;
	return cp_clock_set(&run->rec.info.clock, run->options->clock_offset,
	    cp_run_start(run), run->diags);
}

static void
capture_close(struct cp_run *run)
{
	cp_run_unwinder_free(run);
	cp_capture_close(&run->capture);
	cp_order_free(&run->order);
	cp_bounds_free(run->bounds);
	if (run->symbols != NULL)
		cp_symbols_free(run->symbols);
	cp_perf_script_close(run->session.script);
	cp_session_free(&run->session);
	cp_recording_free(&run->rec);
	cp_filter_free(&run->filter);
	cp_run_weigh_free(run);
	cp_run_payloads_free(run);
	cp_vec_free(&run->facts);
	cp_vec_free(&run->symbol);
	cp_vec_free(&run->named);
	cp_vec_free(&run->hidden);
	cp_vec_free(&run->cut_stack);
	cp_vec_free(&run->innermost);
	cp_vec_free(&run->kept);
	cp_vec_free(&run->meaning);
	cp_vec_free(&run->origins);
	cp_run_spots_free(run);
	cp_tables_free(run->tables);
}

int
cp_run_open(struct cp_run *run, const struct cp_run_options *options,
    struct cp_diags *diags, const char *path)
{
	*run = (struct cp_run){ .options = options, .diags = diags };
	return capture_open(run, path);
}

/* Combines the `wants' of the tasks. */
static void
tasks_want(struct cp_run *run)
{
	uint32_t wants = 0, all = CP_WANT_NO_STACK;

	for (size_t i = 0; i < run->tasks.len; i++) {
		const struct cp_task *t = &run->tasks.data[i];

		wants |= t->wants;
		all &= t->wants;
		run->want_sideband |= t->analysis->event != NULL;
	}
	if (run->options->weight == CP_WEIGHT_LATENCY)
		(void)cp_run_spans(run, NULL, NULL);
	run->want_sideband |= run->spans != NULL;
	run->wants = wants;
	cp_run_chains(run,
	    (wants & CP_WANT_STACKS) != 0 || run->filter.focus.words.len != 0);
	run->order.want_payload = (wants & CP_WANT_RAW) != 0 ||
				  run->options->weight == CP_WEIGHT_FIELD ||
				  run->spans != NULL ||
				  run->filter.payloads.len != 0;
	run->order.want_places = all == 0 || run->filter.dsos.words.len != 0 ||
				 run->filter.symbols.words.len != 0 ||
				 run->filter.focus.words.len != 0;
	run->want_all = (wants & CP_WANT_ALL) != 0 || run->spans != NULL;
}

int
cp_run_next(struct cp_run *run, const char *path)
{
	struct cp_run next = { .options = run->options,
		.diags = run->diags,
		.want_all = run->want_all,
		.missed = run->missed };

	cp_filter_compared(run);
	next.arena = run->arena;
	memcpy(&next.compared, &run->compared, sizeof(next.compared));
	capture_close(run);
	memcpy(&next.tasks, &run->tasks, sizeof(next.tasks));
	memcpy(&next.patterns, &run->patterns, sizeof(next.patterns));
	memcpy(&next.tallies, &run->tallies, sizeof(next.tallies));
	next.leaves = run->leaves;
	next.spans = run->spans;
	memcpy(&next.spills, &run->spills, sizeof(next.spills));
	*run = next;
	if (capture_open(run, path) != CP_OK)
		return CP_FAIL;
	if (run->spans != NULL)
		cp_taskstate_restart(run->spans);
	tasks_want(run);
	return CP_OK;
}

int
cp_run_captured(struct cp_run *run, uint32_t index, struct cp_report *report)
{
	int status = CP_OK;

	run->report = report;
	if (report != NULL)
		cp_run_hear_slips(run, report);
	for (size_t i = 0; i < run->tasks.len && status == CP_OK; i++) {
		struct cp_task *t = &run->tasks.data[i];

		run->current = t;
		if (t->analysis->capture != NULL)
			status = t->analysis->capture(run, t->state, index);
	}
	run->report = NULL;
	return status;
}

int
cp_run_add(struct cp_run *run, const struct cp_analysis *a)
{
	struct cp_task *t;

	if (a->abi != CP_ABI) {
		cp_diag(run->diags, CP_D_USAGE,
		    "analysis %s is made for ABI %" PRIu32 ", not %d", a->name,
		    a->abi, CP_ABI);
		return CP_FAIL;
	}
	t = cp_vec_push(&run->tasks);
	*t = (struct cp_task){ .analysis = a, .wants = a->wants };
	t->state = cp_arena_alloc(&run->arena, a->state_size);
	run->current = t;
	if (a->begin != NULL && a->begin(run, t->state) != CP_OK)
		return CP_FAIL;
	tasks_want(run);
	return cp_diags_worst(run->diags) >= CP_DIAG_ERROR ? CP_FAIL : CP_OK;
}

/*
 * The fast lane takes plain events only.  After a sample of another event the
 * next one is usually of it too, so the lane is not tried.
 */
static inline bool
plain_next(const struct cp_run *run, const struct cp_event *ev)
{
	return ev->type != CP_RECORD_SAMPLE || ev->evsel == CP_NO_ID ||
	       cp_order_takes(&run->order, run->rec.evsels.all.data[ev->evsel]);
}

static int
read_events(struct cp_run *run)
{
	const struct cp_run_options *o = run->options;
	uint64_t unshown = 0;
	struct cp_event ev;
	int status = CP_OK;

	while (status == CP_OK && cp_capture_next(&run->capture, &ev)) {
		status = cp_order_push(&run->order, &ev);
		if (plain_next(run, &ev))
			unshown += cp_capture_lane(&run->capture, &run->order);
		if (CP_UNLIKELY(++unshown >= PROGRESS_RECORDS)) {
			unshown = 0;
			if (o->progress != NULL)
				o->progress(o->progress_ctx, &run->quality);
		}
	}
	if (status == CP_OK)
		status = cp_order_end(&run->order);
	if (status == CP_OK)
		status = cp_session_undefer_all(&run->session, sink_ready, run);
	return status;
}

/* Writes notes that need the whole capture. */
static void
read_notes(struct cp_run *run)
{
	cp_run_chains_note(run);
	if (run->session.stitch_lbr && run->session.stitches.len == 0)
		cp_diag(run->diags, CP_D_USAGE,
		    "nothing for --stitch-lbr: no "
		    "call stacks of branches, or not in which registers");
	if (run->quality.truncated_chains != 0)
		cp_diag(run->diags, CP_D_TRUNCATED_STACK,
		    "%" PRIu64 " sample%s", run->quality.truncated_chains,
		    cp_s(run->quality.truncated_chains));
}

static void
say_limit(struct cp_run *run)
{
	if (run->session.stacks.over)
		cp_diag(run->diags, CP_D_LIMIT,
		    "CP_MAX_STACKS: over %" PRIu32
		    " stacks; callers of others are one frame, " CP_DEEPER
		    "; --limit stacks=N raises it",
		    run->session.stacks.max);
	run->session.stacks.over = false;
}

int
cp_run_read(struct cp_run *run)
{
	int status;

	/* A tap gets the recorded chains. */
	run->order.as_recorded = run->session.as_recorded = run->tap != NULL;
	status = run->tables != NULL ? cp_tables_read(run, pass_row)
				     : read_events(run);
	if (run->spans != NULL)
		cp_taskstate_finish(run->spans);
	/* Frees the memory of reading, so that reports can use it. */
	cp_run_unwinder_free(run);
	cp_order_free(&run->order);
	cp_session_over(&run->session);
	run->diags->at_record = 0;
	run->diags->at_offset = CP_NO_OFFSET;
	read_notes(run);
	cp_run_weigh_end(run);
	say_limit(run);
	if (status != CP_OK || cp_diags_worst(run->diags) >= CP_DIAG_ERROR)
		return status != CP_OK ? status : CP_FAIL;
	cp_filter_check(run);
	return cp_diags_worst(run->diags) >= CP_DIAG_ERROR ? CP_FAIL : CP_OK;
}

int
cp_run_finish(struct cp_run *run, struct cp_report *rep)
{
	int status = CP_OK;

	cp_session_resolved(&run->session);
	cp_run_hear_slips(run, rep);
	for (size_t i = 0; i < run->tasks.len && status == CP_OK; i++) {
		struct cp_task *t = &run->tasks.data[i];

		run->current = t;
		rep->by = t->analysis->name;
		if (t->analysis->finish != NULL)
			status = t->analysis->finish(run, t->state, rep);
	}
	rep->by = NULL;
	say_limit(run);
	cp_report_finish(rep);
	return status;
}

void
cp_run_close(struct cp_run *run)
{
	capture_close(run);
	for (size_t i = 0; i < run->tallies.len; i++)
		cp_tally_free(run->tallies.data[i]);
	for (size_t i = 0; i < run->patterns.len; i++)
		cp_pattern_free(run->patterns.data[i]);
	cp_vec_free(&run->patterns);
	for (size_t i = 0; i < run->spills.len; i++)
		cp_spill_free(run->spills.data[i]);
	cp_vec_free(&run->tallies);
	cp_vec_free(&run->spills);
	cp_vec_free(&run->tasks);
	cp_vec_free(&run->compared);
	cp_taskstate_free(run->spans);
	cp_arena_free(&run->arena);
}
