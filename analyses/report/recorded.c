/* SPDX-License-Identifier: MIT */
/* Whose samples they are, and what other events have most of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/dense-ids.h"
#include "analyses/common/event.h"
#include "analyses/report/report.h"

struct command {
	const struct cp_overview *r;
	cp_string_id comm;
	bool idle; /* CPUs without work, whose task is 0 */
	struct cp_mass mass;
	uint32_t processes;
};

static bool
is_idle(const struct cp_overview *r, uint32_t group)
{
	return r->threads.all[group].v[CP_BY_PID] == 0 &&
	       r->threads.all[group].v[CP_BY_TID] == 0;
}

static bool
is_of_command(const void *ctx, const struct cp_seen *seen)
{
	const struct command *c = ctx;
	const struct cp_overview *r = c->r;

	return is_idle(r, seen->group) == c->idle &&
	       (c->idle ||
		   r->threads.all[seen->group].v[CP_BY_COMM] == c->comm);
}

static int
compare_commands(const void *va, const void *vb)
{
	const struct command *a = va, *b = vb;

	if (a->idle != b->idle)
		return a->idle ? -1 : 1;
	if (a->mass.weight != b->mass.weight)
		return a->mass.weight > b->mass.weight ? -1 : 1;
	return (a->comm > b->comm) - (a->comm < b->comm);
}

/* Adds the threads up by command; what is idle comes first. */
static struct command *
commands_of(struct cp_overview *r, size_t *count)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct command *all = cp_run_alloc(r->run, (n + 1) * sizeof(*all));
	struct cp_index ids, processes;

	cp_index_init(&ids, r->run);
	cp_index_init(&processes, r->run);
	for (size_t i = 0; i < n; i++) {
		uint32_t g = (uint32_t)rows[i].a, known = processes.n;
		const uint64_t *v = r->threads.all[g].v;
		bool idle = is_idle(r, g);
		struct command *c;

		if (v[CP_BY_EVENT] != r->event)
			continue;
		c = &all[cp_index_put(&ids, idle ? 0 : v[CP_BY_COMM], idle)];
		c->r = r;
		c->idle = idle;
		c->comm = (cp_string_id)v[CP_BY_COMM];
		c->mass.weight += rows[i].weight;
		c->mass.weight_sq += rows[i].weight_sq;
		c->processes += cp_index_put(&processes, v[CP_BY_COMM],
				    v[CP_BY_PID]) == known;
	}
	*count = ids.n;
	cp_index_free(&ids);
	cp_index_free(&processes);
	qsort(all, *count, sizeof(*all), compare_commands);
	return all;
}

static struct cp_percent
percent(struct cp_overview *r, const struct command *c)
{
	return cp_percent_of(c->mass,
	    cp_precision_whole(r->sure.view, r->all, is_of_command, c));
}

static void
tell_commands(struct cp_overview *r, const struct command *c, size_t n,
    uint64_t work, struct cp_accounts *a)
{
	struct cp_account x = { .name = CP_A_COMMAND,
		.who = cp_run_string(r->run, c->comm),
		.n = c->processes > 1 ? c->processes : 0,
		.share = percent(r, c),
		.of = cp_event_name(r->run, r->event) };

	/* The recorder has a finding of its own. */
	if ((double)c->mass.weight <
		cp_threshold(CP_T_COMMAND) * (double)work ||
	    strcmp(x.who, "perf") == 0 || x.share.share > 95)
		return;
	if (n > 1 && c[1].mass.weight >= work / 20)
		x.what = cp_account_phrase(
		    a, &(struct cp_account){ .name = CP_A_PART_OF,
			   .where = cp_run_string(r->run, c[1].comm),
			   .share = cp_percent_exact((double)c[1].mass.weight,
			       (double)r->all.mass.weight) });
	cp_accounts_add(a, &x);
}

void
cp_recorded_show(struct cp_overview *r, struct cp_accounts *a)
{
	size_t n;
	const struct command *c = commands_of(r, &n);
	uint64_t work = r->all.mass.weight;

	if (n != 0 && c->idle) {
		work -= c->mass.weight;
		cp_accounts_add(a, &(struct cp_account){ .name = CP_A_IDLE,
				       .share = percent(r, c),
				       .of = cp_event_name(r->run, r->event) });
		c++;
		n--;
	}
	if (n != 0 && (n > 1 || work < r->all.mass.weight))
		tell_commands(r, c, n, work, a);
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
		    a, &(struct cp_account){
			   .name = CP_A_UNEVEN, .n = samples, .what = worth });
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
	x.next = cp_percent_exact(
	    (double)r->sums.sum[most].self, (double)r->all.mass.weight);
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
