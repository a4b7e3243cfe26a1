/* SPDX-License-Identifier: MIT */
/* Whose samples they are, and what other events have most of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/event.h"
#include "analyses/report/report.h"

enum who { THREAD, COMMAND };

/* A thread by whatever names it had, or the threads of one name. */
struct worker {
	const struct cp_overview *r;
	enum who who;
	bool idle; /* CPUs without work, whose task is 0 */
	struct cp_mass mass;
	uint32_t group; /* its heaviest */
	uint64_t most;  /* weight of that */
	uint32_t processes;
};

static struct cp_pair
key_of(const struct cp_overview *r, enum who who, uint32_t group)
{
	const uint64_t *v = r->threads.all[group].v;

	if (who == THREAD || v[CP_BY_PID] + v[CP_BY_TID] == 0)
		return (struct cp_pair){ v[CP_BY_PID], v[CP_BY_TID] };
	return (struct cp_pair){ CP_NO_TIME, v[CP_BY_COMM] };
}

static bool
is_of(const void *ctx, const struct cp_seen *seen)
{
	const struct worker *w = ctx;
	struct cp_pair a = key_of(w->r, w->who, w->group),
		       b = key_of(w->r, w->who, seen->group);

	return a.a == b.a && a.b == b.b;
}

static int
compare_workers(const void *va, const void *vb)
{
	const struct worker *a = va, *b = vb;

	if (a->idle != b->idle)
		return a->idle ? -1 : 1;
	if (a->mass.weight != b->mass.weight)
		return a->mass.weight > b->mass.weight ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Adds the samples of the event up; what is idle comes first. */
static struct worker *
workers_of(struct cp_overview *r, enum who who, size_t *count)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct worker *all = cp_run_alloc(r->run, (n + 1) * sizeof(*all));
	struct cp_index ids, processes;

	cp_index_init(&ids, r->run);
	cp_index_init(&processes, r->run);
	for (size_t i = 0; i < n; i++) {
		uint32_t g = (uint32_t)rows[i].a, known = processes.n, at;
		const uint64_t *v = r->threads.all[g].v;
		struct cp_pair key = key_of(r, who, g);
		struct worker *w;

		if (v[CP_BY_EVENT] != r->event)
			continue;
		at = cp_index_put(&ids, key.a, key.b);
		w = &all[at];
		w->r = r;
		w->who = who;
		w->idle = v[CP_BY_PID] + v[CP_BY_TID] == 0;
		w->mass.weight += rows[i].weight;
		w->mass.weight_sq += rows[i].weight_sq;
		w->processes +=
		    cp_index_put(&processes, at, v[CP_BY_PID]) == known;
		if (rows[i].weight < w->most)
			continue;
		w->most = rows[i].weight;
		w->group = g;
	}
	*count = ids.n;
	cp_index_free(&ids);
	cp_index_free(&processes);
	if (*count != 0)
		qsort(all, *count, sizeof(*all), compare_workers);
	return all;
}

/* How much of the event it had. */
static struct cp_account
account_of(
    struct cp_overview *r, const struct worker *w, enum cp_account_name name)
{
	const uint64_t *v = r->threads.all[w->group].v;

	return (struct cp_account){ .name = name,
		.who = cp_run_string(r->run, (cp_string_id)v[CP_BY_COMM]),
		.share = cp_percent_of(w->mass,
		    cp_precision_whole(r->sure.view, r->all, is_of, w)),
		.of = cp_event_name(r->run, r->event) };
}

/* The profiled program may be a perf, too. */
static void
tell_commands(struct cp_overview *r, const struct worker *w, size_t n,
    uint64_t work, struct cp_accounts *a)
{
	struct cp_account x = account_of(r, w, CP_A_COMMAND);

	x.n = w->processes > 1 ? w->processes : 0;
	/* The recorder has a finding of its own. */
	if ((double)w->mass.weight <
		cp_threshold(CP_T_COMMAND) * (double)work ||
	    strcmp(x.who, "perf") == 0 || x.share.share > 95)
		return;
	if (n > 1 && w[1].mass.weight >= work / 20) {
		struct cp_account next = account_of(r, &w[1], CP_A_PART_OF);

		next.where = next.who;
		x.what = cp_account_phrase(a, &next);
	}
	cp_accounts_add(a, &x);
}

/* One thread does nearly all the work, although there are others, and CPUs. */
static void
tell_thread(struct cp_overview *r, struct cp_accounts *a)
{
	size_t n;
	const struct worker *w = workers_of(r, THREAD, &n);
	struct cp_account x;
	struct cp_word tid;

	if (n != 0 && w->idle) {
		w++;
		n--;
	}
	if (n < 2 || cp_overview_cpus(r) < 2)
		return;
	x = account_of(r, w, CP_A_ONE_THREAD);
	x.of = "the work";
	x.n = n;
	x.what =
	    cp_word_id(&tid, (uint32_t)r->threads.all[w->group].v[CP_BY_TID]);
	cp_accounts_add(a, &x);
}

void
cp_recorded_show(struct cp_overview *r, bool time, struct cp_accounts *a)
{
	size_t n;
	const struct worker *w = workers_of(r, COMMAND, &n);
	uint64_t work = r->all.mass.weight;
	struct cp_account x;

	if (n != 0 && w->idle) {
		work -= w->mass.weight;
		x = account_of(r, w, CP_A_IDLE);
		x.who = NULL;
		cp_accounts_add(a, &x);
		w++;
		n--;
	}
	if (n != 0 && (n > 1 || work < r->all.mass.weight))
		tell_commands(r, w, n, work, a);
	if (!time)
		return;
	tell_thread(r, a);
	for (size_t i = 0; i < n; i++) {
		x = account_of(r, &w[i], CP_A_RECORDER);
		if (strcmp(x.who, "perf") == 0)
			cp_accounts_add(a, &x);
	}
}

/* Few samples: no share of them is a finding, but where they lie is. */
void
cp_few_show(struct cp_overview *r, struct cp_accounts *a)
{
	const struct cp_tally_row *rows, *most;
	struct cp_tally *t = cp_tally_new(r->run);
	uint64_t samples = cp_groups_total(&r->events, r->event).samples;
	size_t n = cp_tally_rows(r->stacks, &rows);
	struct cp_account x = { .name = CP_A_FEW, .n = samples };

	for (size_t i = 0; i < n; i++) {
		cp_frame_id f = cp_stack_frame(r->run, (cp_stack_id)rows[i].b);

		if (r->events.all[rows[i].a].v[CP_BY_EVENT] == r->event)
			cp_tally_add(t,
			    f != 0 ? cp_frame_get(r->run, f)->dso : 0, 0,
			    rows[i].count);
	}
	most = cp_rows_heaviest(t);
	if (most != NULL && most->a != 0) {
		x.m = most->weight;
		x.where = cp_word_object(r->run, (uint32_t)most->a);
	}
	cp_accounts_add(a, &x);
}

void
cp_uneven_show(struct cp_overview *r, struct cp_accounts *a)
{
	uint64_t samples = cp_groups_total(&r->events, r->event).samples;
	double n = cp_mass_samples(r->all.mass);
	char worth[32];

	(void)snprintf(worth, sizeof(worth), "%.1f", n);
	if (n <= 20 && n <= (double)samples / 2)
		cp_accounts_add(
		    a, CP_ACCOUNT(UNEVEN, .n = samples, .what = worth));
}

/* ------------------------------------------------------------- other events */

/* Events that only count work: every program has them where it has time. */
static bool
is_cost(const struct cp_evsel *e)
{
	return !e->tracepoint && !e->dummy &&
	       (strstr(e->name, "miss") != NULL ||
		   strstr(e->name, "stall") != NULL ||
		   strstr(e->name, "fault") != NULL);
}

static void
find_event(struct cp_overview *r, uint32_t event,
    const struct cp_tally_row *rows, size_t n, struct cp_accounts *a)
{
	struct cp_mass *mass =
	    cp_run_alloc(r->run, r->entities.n * sizeof(*mass));
	struct cp_whole whole = cp_groups_whole(&r->events, event);
	uint32_t most = CP_NO_ID;
	struct cp_account x = { .name = CP_A_HOT_EVENT,
		.about = cp_event_name(r->run, event),
		.of = cp_event_name(r->run, event),
		.what = cp_event_name(r->run, r->event) };
	struct cp_word name;

	for (size_t i = 0; i < n; i++) {
		uint32_t e = r->sums.entity[r->sums.paths.at[rows[i].b]];

		if (r->events.all[rows[i].a].v[CP_BY_EVENT] != event)
			continue;
		mass[e].weight += rows[i].weight;
		mass[e].weight_sq += rows[i].weight_sq;
		if (r->entities.all[e].symbol != NULL &&
		    (most == CP_NO_ID || mass[e].weight > mass[most].weight))
			most = e;
	}
	if (most == CP_NO_ID)
		return;
	x.share = cp_percent_of(mass[most], whole);
	x.next = cp_percent_exact(r->sums.sum[most].self, r->all.mass.weight);
	x.where = cp_run_string(
	    r->run, cp_run_intern(
			r->run, cp_entity_name(&r->entities.all[most], &name)));
	if (x.share.lo > x.next.share)
		cp_accounts_add(a, &x);
}

void
cp_other_events_show(struct cp_overview *r, struct cp_accounts *a)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->stacks, &rows);

	for (uint32_t i = 0; i < cp_run_evsel_count(r->run); i++)
		if (i != r->event && cp_run_event_of(r->run, i) == i &&
		    is_cost(cp_run_evsel(r->run, i)) &&
		    (double)cp_groups_total(&r->events, i).samples >=
			cp_threshold(CP_T_FEW_SAMPLES))
			find_event(r, i, rows, n, a);
}
