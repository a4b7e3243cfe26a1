/* SPDX-License-Identifier: MIT */
#include "analyses/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyses/common/dense-ids.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"

/*
 * What follows damage in compressed data is left out where nothing tells if it
 * is right.  A truncated file is always a finding, because build IDs and the
 * host's name are at its end.
 */
void
cp_findings_of_input(struct cp_run *run, struct cp_accounts *a)
{
	const struct cp_quality *q = cp_run_quality(run);
	double whole = (double)q->bytes_total + (double)q->bytes_missing;
	double read =
	    1 - cp_share((double)q->bytes_skipped, (double)q->bytes_total);
	double decided =
	    1 - cp_share((double)q->bytes_undecided, (double)q->bytes_inflated);
	struct cp_account x = { .name = CP_A_DAMAGED,
		.share = cp_percent_exact(1 - read * decided, 1) };

	if (q->bytes_inflated != 0)
		cp_accounts_add(a, &x);
	x.name = q->killed ? CP_A_KILLED : CP_A_CUT_RECORD;
	if (q->killed || q->cut)
		cp_accounts_add(a, &x);
	x = (struct cp_account){ .name = CP_A_CUT_MOST,
		.n = q->bytes_missing,
		.share = cp_percent_exact((double)q->bytes_missing, whole) };
	if (q->bytes_missing == 0 || cp_accounts_add(a, &x) != NULL)
		return;
	x.name = CP_A_CUT_PART;
	cp_accounts_add(a, &x);
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
find_thread(struct cp_overview *r, struct cp_accounts *a)
{
	size_t n, most = 0;
	const struct thread *all = threads_of(r, &n);
	const uint64_t *v;
	struct cp_word tid;

	for (size_t i = 1; i < n; i++)
		if (all[i].mass.weight > all[most].mass.weight)
			most = i;
	if (n < 2 || count_cpus(r) < 2)
		return;
	v = r->threads.all[all[most].group].v;
	cp_accounts_add(
	    a, &(struct cp_account){ .name = CP_A_ONE_THREAD,
		   .who = cp_run_string(r->run, (cp_string_id)v[CP_BY_COMM]),
		   .what = cp_word_id(&tid, (uint32_t)v[CP_BY_TID]),
		   .n = n,
		   .share = cp_percent_of(
		       all[most].mass, cp_precision_whole(r->sure.view, r->all,
					   is_of_thread, &all[most])),
		   .of = "the work" });
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
find_recorder(struct cp_overview *r, struct cp_accounts *a)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct cp_mass mass = { 0 };

	for (size_t i = 0; i < n; i++)
		if (is_perf(r, rows[i].a)) {
			mass.weight += rows[i].weight;
			mass.weight_sq += rows[i].weight_sq;
		}
	if (mass.weight == 0)
		return;
	cp_accounts_add(
	    a, &(struct cp_account){ .name = CP_A_RECORDER,
		   .who = "perf",
		   .share = cp_percent_of(mass,
		       cp_precision_whole(r->sure.view, r->all, seen_perf, r)),
		   .of = cp_event_name(r->run, r->event) });
}

void
cp_findings_of_event(struct cp_overview *r, struct cp_accounts *a)
{
	find_thread(r, a);
	find_recorder(r, a);
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
 * Finds throttling: spans without samples where there was the most to sample.
 */
static void
find_throttling(const struct cp_quality *q, const struct cp_pauses *p,
    struct cp_accounts *a)
{
	double ns = (double)(q->last_time - q->first_time);
	struct cp_account x = { .name = CP_A_THROTTLED, .n = q->throttled };

	if (q->first_time == CP_NO_TIME || q->throttled < 2)
		return;
	if (p->timed)
		x = (struct cp_account){ .name = CP_A_PAUSED,
			.n = p->times,
			.typical = p->lost,
			.share = cp_percent_exact((double)p->lost, ns),
			.of = "the capture's length" };
	else if ((double)q->throttled * 1e9 < cp_threshold(CP_T_THROTTLED) * ns)
		return;
	cp_accounts_add(a, &x);
}

void
cp_findings_of_quality(struct cp_run *run, const char *event,
    const struct cp_pauses *pauses, const struct cp_named *named,
    const struct cp_chain_ends *chains, struct cp_accounts *a)
{
	const struct cp_quality *q = cp_run_quality(run);
	/* Lost samples may be among the lost records: the larger counts. */
	double records =
	    cp_share((double)q->lost, (double)q->records + (double)q->lost);
	double samples = cp_share((double)q->lost_samples,
	    (double)q->samples + (double)q->lost_samples);
	const struct {
		enum cp_account_name name;
		double share;
		const char *of;
	} all[] = {
		{ CP_A_LOST, fmax(records, samples),
		    samples >= records ? "samples" : "records" },
		{ CP_A_NO_NAMES, unnamed_share(named), event },
		{ CP_A_UNWOUND_PART,
		    cp_share((double)q->unwound_part, (double)q->unwound),
		    "the stacks" },
		{ CP_A_BROKEN,
		    cp_share(
			(double)chains->broken_weight, (double)chains->weight),
		    event },
		{ CP_A_LOST_CALLERS,
		    cp_share((double)(q->lost_callers - q->inferred_callers),
			(double)q->samples),
		    "the samples" },
	};

	find_throttling(q, pauses, a);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		cp_accounts_add(
		    a, &(struct cp_account){ .name = all[i].name,
			   .share = cp_percent_exact(all[i].share, 1),
			   .of = all[i].of });
}
