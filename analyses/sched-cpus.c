/* SPDX-License-Identifier: MIT */
/*
 * sched-cpus: how busy CPUs were, how many threads waited for each, and when.
 */
#include "analyses/sched.h"

#include <stdio.h>

#include "analyses/words.h"

static void
rate(struct cp_table *t, double v)
{
	cp_table_value(t, v, 1, 0);
}

/* The longest queue of a slice, on average over it. */
static double
worst_slice(const struct cp_load *l, const struct cp_load_cpu *c)
{
	uint64_t most = 0;

	for (int i = 0; c->waited_in != NULL && i < CP_LOAD_SLICES; i++)
		if (c->waited_in[i] > most)
			most = c->waited_in[i];
	return (double)most / (double)(UINT64_C(1) << l->shift);
}

static void
cpu_row(const struct cp_load *l, uint32_t i, uint64_t length,
    struct cp_table *t)
{
	const struct cp_load_cpu *c = &l->cpu[i];
	uint64_t known = c->busy + c->idle;
	struct cp_word word;

	cp_table_row(t);
	cp_table_text(t, cp_word_id(&word, i));
	cp_table_u64(t, c->busy);
	cp_table_u64(t, c->idle);
	cp_table_u64(t, known < length ? length - known : 0);
	cp_table_value(t, cp_share((double)c->busy, (double)known), 1, 0);
	cp_table_u64(t, c->switches);
	cp_table_u64(t, c->preemptions);
	cp_table_u64(t, c->wakeups);
	rate(t, length != 0 ? (double)c->waited / (double)length : 0);
	rate(t, worst_slice(l, c));
	cp_table_u64(t, c->queue_max);
	cp_table_u64(t, c->queue_max != 0 ? c->queue_max_at : CP_NO_TIME);
}

static void
show_table(struct cp_sched *s, uint64_t length, struct cp_report *rep)
{
	static const struct {
		const char *name;
		enum cp_column_type type;
	} columns[] = {
		{ "CPU", CP_COL_TEXT },
		{ "Busy", CP_COL_TIME },
		{ "Idle", CP_COL_TIME },
		{ "Unknown", CP_COL_TIME },
		{ "Utilization", CP_COL_SHARE },
		{ "Switches", CP_COL_COUNT },
		{ "Preemptions", CP_COL_COUNT },
		{ "Wake-ups", CP_COL_COUNT },
		{ "Queue", CP_COL_RATE },
		{ "Worst slice", CP_COL_RATE },
		{ "Longest", CP_COL_COUNT },
		{ "Longest at", CP_COL_CLOCK },
	};
	struct cp_table *t = cp_report_table(rep, "cpus", "CPUs");

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		cp_table_column(t, columns[i].name, columns[i].type);
	for (uint32_t i = 0; i < s->load.n; i++)
		if (s->load.cpu[i].seen && cp_run_keeps_cpu(s->run, i))
			cpu_row(&s->load, i, length, t);
}

/* Waiting by the length of a slice is the mean length of the queue there. */
static const char *
grid_title(const struct cp_sched *s, bool waited)
{
	struct cp_word slice;
	char text[120];

	cp_word_time(&slice, UINT64_C(1) << s->load.shift);
	if (waited)
		snprintf(text, sizeof(text),
		    "Run-queue length: time waited for each CPU in %s",
		    slice.text);
	else
		snprintf(text, sizeof(text),
		    "Utilization: time that each CPU was busy in %s",
		    slice.text);
	return cp_run_string(s->run, cp_run_intern(s->run, text));
}

/* One grid of what slices hold, a row per CPU. */
static void
show_grid(struct cp_sched *s, uint64_t length, bool waited,
    struct cp_report *rep)
{
	const struct cp_load *l = &s->load;
	uint32_t n = 0, row = 0;
	const char **labels =
	    cp_run_alloc(s->run, (l->n + 1) * sizeof(*labels));
	struct cp_axis x = { .name = "time", .type = CP_COL_CLOCK,
		.count = (uint32_t)((length >> l->shift) + 1),
		.from = l->base, .step = UINT64_C(1) << l->shift };
	struct cp_axis y = { .name = "CPU", .type = CP_COL_TEXT,
		.labels = labels };
	struct cp_grid *g;
	struct cp_word word;

	for (uint32_t i = 0; i < l->n; i++)
		if (l->cpu[i].seen && cp_run_keeps_cpu(s->run, i))
			labels[n++] = cp_run_string(s->run,
			    cp_run_intern(s->run, cp_word_id(&word, i)));
	y.count = n;
	g = cp_report_grid(rep, waited ? "queues" : "load",
	    grid_title(s, waited), &x, &y, waited ? "waited" : "busy",
	    CP_COL_TIME);
	for (uint32_t i = 0; i < l->n; i++) {
		const uint64_t *in = waited ? l->cpu[i].waited_in
					    : l->cpu[i].busy_in;

		if (!l->cpu[i].seen || !cp_run_keeps_cpu(s->run, i))
			continue;
		for (uint32_t k = 0; in != NULL && k < x.count; k++)
			if (in[k] != 0)
				cp_grid_add(g, k, row, in[k]);
		row++;
	}
}

void
cp_sched_cpus(struct cp_sched *s, struct cp_report *rep)
{
	uint64_t length = s->tasks.last - s->tasks.first;
	bool any = false;

	for (uint32_t i = 0; i < s->load.n; i++)
		any |= s->load.cpu[i].seen;
	if (!any)
		return;
	show_table(s, length, rep);
	if (s->load.base == CP_NO_TIME)
		return;
	show_grid(s, length, false, rep);
	show_grid(s, length, true, rep);
}
