/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyses/common/dense-ids.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/summary/thresholds.h"

struct cp_brief_lines
cp_findings_new(struct cp_run *run, struct cp_report *rep)
{
	struct cp_table *t = cp_report_table(rep, "findings", "Findings");

	cp_table_column(t, "About", CP_COL_TEXT);
	cp_table_column(t, "Finding", CP_COL_TEXT);
	cp_table_prose(t);
	return (struct cp_brief_lines){ .run = run, .found = t };
}

/*
 * What follows damage in compressed data is left out where nothing tells if it
 * is right.  Comes first: no other finding holds then.
 */
static void
find_damage(const struct cp_quality *q, struct cp_brief_lines *l)
{
	double read =
	    1 - cp_share((double)q->bytes_skipped, (double)q->bytes_total);
	double decided =
	    1 - cp_share((double)q->bytes_undecided, (double)q->bytes_inflated);
	struct cp_word share;

	if (q->bytes_inflated != 0 &&
	    1 - read * decided >= cp_threshold(CP_T_UNDECIDED))
		cp_brief_found(l, "damaged",
		    "%s of the compressed recording is damaged or cannot be "
		    "decided: all shares here are worthless: coldperf quality",
		    cp_word_percent(&share, 1 - read * decided, 1));
}

/*
 * A truncated file is always a finding, because build IDs and the host's name
 * are at its end.
 */
void
cp_findings_of_input(struct cp_run *run, struct cp_brief_lines *l)
{
	const struct cp_quality *q = cp_run_quality(run);
	double whole = (double)q->bytes_total + (double)q->bytes_missing;
	struct cp_word part, bytes;

	find_damage(q, l);
	if (q->killed)
		cp_brief_found(l, "killed",
		    "the recorder was killed before it was done: its last "
		    "moments may be missing: coldperf quality");
	else if (q->cut)
		cp_brief_found(l, "cut",
		    "the input ends in the middle of a record, and nothing "
		    "below counts what followed: coldperf quality");
	if (q->bytes_missing != 0)
		cp_brief_found(l, "cut",
		    "the file was cut: %s of it (%s bytes) is missing, and "
		    "nothing below counts that: coldperf quality",
		    cp_word_percent(&part, (double)q->bytes_missing, whole),
		    cp_word_count(&bytes, q->bytes_missing));
}

static uint32_t
count_cpus(const struct cp_overview *r)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_cpu, &rows);
	uint32_t cpus = 0;

	for (size_t i = 0; i < n; i++)
		cpus += rows[i].a == r->event && rows[i].b != CP_NO_ID;
	return cpus;
}

/* A thread, by whatever names it had. */
struct thread {
	const struct cp_overview *r;
	struct cp_mass mass;
	uint32_t group; /* its heaviest */
	uint64_t most;  /* weight of that */
};

static bool
is_of_thread(const void *ctx, const struct cp_seen *seen)
{
	const struct thread *t = ctx;
	const struct cp_group *all = t->r->threads.all;
	const uint64_t *v = all[seen->group].v, *of = all[t->group].v;

	return v[CP_BY_PID] == of[CP_BY_PID] && v[CP_BY_TID] == of[CP_BY_TID];
}

static void
tell_thread(struct cp_overview *r, const struct thread *t, size_t threads,
    struct cp_brief_lines *l)
{
	const uint64_t *v = r->threads.all[t->group].v;
	struct cp_percent p = cp_percent_of(
	    t->mass, cp_precision_whole(r->sure.view, r->all, is_of_thread, t));
	struct cp_word share, sure;

	if (p.lo >= 100 * cp_threshold(CP_T_ONE_THREAD))
		cp_brief_found(l, "one thread",
		    "one thread of %zu, %.64s (%u), did %s of the work (%s): "
		    "more CPUs would not help",
		    threads, cp_run_string(r->run, (cp_string_id)v[CP_BY_COMM]),
		    (unsigned)v[CP_BY_TID], cp_percent_share(&share, p),
		    cp_percent_interval(&sure, p));
}

/* Adds the samples of the event to their threads; thread 0 is an idle CPU. */
static struct thread *
threads_of(struct cp_overview *r, size_t *count)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct thread *all = cp_run_alloc(r->run, (n + 1) * sizeof(*all));
	struct cp_index ids; /* (process, thread) */

	cp_index_init(&ids, r->run);
	for (size_t i = 0; i < n; i++) {
		const uint64_t *v = r->threads.all[rows[i].a].v;
		struct thread *t;

		if (v[CP_BY_EVENT] != r->event || v[CP_BY_PID] == 0)
			continue;
		t = &all[cp_index_put(&ids, v[CP_BY_PID], v[CP_BY_TID])];
		t->r = r;
		t->mass.weight += rows[i].weight;
		t->mass.weight_sq += rows[i].weight_sq;
		if (rows[i].weight < t->most)
			continue;
		t->most = rows[i].weight;
		t->group = (uint32_t)rows[i].a;
	}
	*count = ids.n;
	cp_index_free(&ids);
	return all;
}

/*
 * Finds a thread that does nearly all the work although other threads and CPUs
 * exist.
 */
static void
find_thread(struct cp_overview *r, struct cp_brief_lines *l)
{
	size_t n, most = 0;
	const struct thread *all = threads_of(r, &n);

	for (size_t i = 1; i < n; i++)
		if (all[i].mass.weight > all[most].mass.weight)
			most = i;
	if (n >= 2 && count_cpus(r) >= 2)
		tell_thread(r, &all[most], n, l);
}

static bool
is_perf(const struct cp_overview *r, uint64_t group)
{
	const uint64_t *v = r->threads.all[group].v;

	return v[CP_BY_EVENT] == r->event &&
	       strcmp(cp_run_string(r->run, (cp_string_id)v[CP_BY_COMM]),
		   "perf") == 0;
}

static bool
seen_perf(const void *ctx, const struct cp_seen *seen)
{
	return is_perf(ctx, seen->group);
}

/* Finds the recorder's own work.  The profiled program may be a perf, too. */
static void
find_recorder(struct cp_overview *r, struct cp_brief_lines *l)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct cp_mass mass = { 0 };
	struct cp_percent p;
	struct cp_word share, sure;

	for (size_t i = 0; i < n; i++)
		if (is_perf(r, rows[i].a)) {
			mass.weight += rows[i].weight;
			mass.weight_sq += rows[i].weight_sq;
		}
	if (mass.weight == 0)
		return;
	p = cp_percent_of(
	    mass, cp_precision_whole(r->sure.view, r->all, seen_perf, r));
	if (p.lo >= 100 * cp_threshold(CP_T_RECORDER))
		cp_brief_found(l, "recorder",
		    "threads called perf took %s of %.100s (%s): the recorder "
		    "may disturb what it measures",
		    cp_percent_share(&share, p),
		    cp_event_name(r->run, r->event),
		    cp_percent_interval(&sure, p));
}

void
cp_findings_of_event(struct cp_overview *r, struct cp_brief_lines *l)
{
	find_thread(r, l);
	find_recorder(r, l);
}

static double
unnamed_share(const struct cp_named *n)
{
	return cp_share((double)n->trust[CP_TRUST_NONE], (double)n->samples);
}

bool
cp_findings_lack_names(const struct cp_named *n)
{
	return unnamed_share(n) >= cp_threshold(CP_T_UNNAMED);
}

/*
 * Lost samples may be among the lost records, too, so the two are not added up.
 */
static void
find_losses(const struct cp_quality *q, struct cp_brief_lines *l)
{
	double records =
	    cp_share((double)q->lost, (double)q->records + (double)q->lost);
	double samples = cp_share((double)q->lost_samples,
	    (double)q->samples + (double)q->lost_samples);
	struct cp_word share;

	if (fmax(records, samples) >= cp_threshold(CP_T_LOST))
		cp_brief_found(l, "lost",
		    "%s of the %s were lost by the recorder: coldperf quality",
		    cp_word_percent(&share, fmax(records, samples), 1),
		    samples >= records ? "samples" : "records");
}

/*
 * Finds throttling: spans without samples where there was the most to sample.
 */
static void
find_throttling(const struct cp_quality *q, const struct cp_pauses *p,
    struct cp_brief_lines *l)
{
	double ns = (double)(q->last_time - q->first_time);
	struct cp_word word, time;

	if (q->first_time == CP_NO_TIME || q->throttled < 2)
		return;
	if (p->timed) {
		if ((double)p->lost >= cp_threshold(CP_T_PAUSED) * ns)
			cp_brief_found(l, "throttled",
			    "sampling stopped %s times, for %s in all, in busy "
			    "spans, which have too small a share: coldperf "
			    "quality",
			    cp_word_count(&word, p->times),
			    cp_word_time(&time, p->lost));
		return;
	}
	if ((double)q->throttled * 1e9 >= cp_threshold(CP_T_THROTTLED) * ns)
		cp_brief_found(l, "throttled",
		    "sampling stopped %s times in busy spans: coldperf "
		    "quality",
		    cp_word_count(&word, q->throttled));
}

void
cp_findings_of_quality(struct cp_run *run, const char *event,
    const struct cp_pauses *pauses, const struct cp_named *named,
    const struct cp_chain_ends *chains, struct cp_brief_lines *l)
{
	const struct cp_quality *q = cp_run_quality(run);
	double unnamed = unnamed_share(named);
	double broken =
	    cp_share((double)chains->broken_weight, (double)chains->weight);
	double part = cp_share((double)q->unwound_part, (double)q->unwound);
	double lost = cp_share((double)(q->lost_callers - q->inferred_callers),
	    (double)q->samples);
	struct cp_word share;

	find_losses(q, l);
	find_throttling(q, pauses, l);
	if (cp_findings_lack_names(named))
		cp_brief_found(l, "no names",
		    "%s of %.200s is in code without a symbol: coldperf "
		    "symbols",
		    cp_word_percent(&share, unnamed, 1), event);
	if (part >= cp_threshold(CP_T_UNWOUND_PART))
		cp_brief_found(l, "callers",
		    "%s of the stacks end before the outermost function: "
		    "coldperf unwind",
		    cp_word_percent(&share, part, 1));
	if (broken >= cp_threshold(CP_T_UNWOUND_PART))
		cp_brief_found(l, "callers",
		    "%s of %.200s in user code has a broken call chain, "
		    "because there are no frame pointers: coldperf unwind",
		    cp_word_percent(&share, broken, 1), event);
	if (lost >= cp_threshold(CP_T_LOST_CALLERS))
		cp_brief_found(l, "callers",
		    "in %s of the samples frame pointers lack a caller that "
		    "nothing tells; record --call-graph dwarf or lbr: coldperf "
		    "quality",
		    cp_word_percent(&share, lost, 1));
}
