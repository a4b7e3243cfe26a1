/* SPDX-License-Identifier: MIT */
/*
 * analyses/sched/cpus.c: how busy CPUs were, how many threads waited for each,
 * and when.
 */
#include "analyses/sched/tables.h"

#include <stdio.h>

#include "analyses/common/label.h"

static uint32_t
slices(const struct cp_cpu_load *l)
{
	return (uint32_t)((l->end - l->base) >> l->shift) + 1;
}

/* Returns the mean number of waiting threads in a slice. */
static double
queue_mean(
    const struct cp_cpu_load *l, const struct cp_cpu_load_one *c, uint32_t i)
{
	uint64_t length = cp_cpu_load_slice(l, i);

	return c->waited_in != NULL && length != 0
		   ? (double)c->waited_in[i] / (double)length
		   : 0;
}

/* Returns the longest queue seen, but at least the mean. */
static double
queue_most(
    const struct cp_cpu_load *l, const struct cp_cpu_load_one *c, uint32_t i)
{
	double mean = queue_mean(l, c, i);
	double most = c->most_in != NULL ? (double)c->most_in[i] : 0;

	return most >= mean ? most : (double)(uint64_t)(mean + 1);
}

/* Returns the slice with the longest mean queue. */
static double
worst_slice(const struct cp_cpu_load *l, const struct cp_cpu_load_one *c)
{
	double most = 0, mean;

	for (uint32_t i = 0; i < slices(l); i++) {
		mean = queue_mean(l, c, i);
		if (mean > most)
			most = mean;
	}
	return most;
}

static void
cpu_row(const struct cp_cpu_load *l, uint32_t i, uint64_t length,
    struct cp_table *t)
{
	const struct cp_cpu_load_one *c = &l->cpu[i];
	uint64_t known = c->busy + c->idle;

	cp_table_add(t, cp_cell_id(i), c->busy, c->idle,
	    known < length ? length - known : 0,
	    cp_share((double)c->busy, (double)known), c->switches,
	    c->preemptions, c->wakeups,
	    length != 0 ? (double)c->waited / (double)length : 0,
	    worst_slice(l, c), c->queue_max,
	    c->queue_max != 0 ? c->queue_max_at : CP_NO_TIME);
}

static void
show_table(struct cp_sched *s, uint64_t length, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("CPU"),
		CP_TIME("Busy"), CP_TIME("Idle"), CP_TIME("Unknown"),
		CP_SHARE("Utilization"), CP_COUNT("Switches"),
		CP_COUNT("Preemptions"), CP_COUNT("Wake-ups"), CP_RATE("Queue"),
		CP_RATE("Worst slice"), CP_COUNT("Longest"),
		CP_CLOCK("Longest at") };
	struct cp_table *t =
	    cp_report_table(rep, "cpus", "CPUs", CP_COLUMNS(columns));

	for (uint32_t i = 0; i < s->load.n; i++)
		if (s->load.cpu[i].seen && cp_run_keeps_cpu(s->run, i))
			cpu_row(&s->load, i, length, t);
}

/* The values shown over time; each has a grid. */
static uint64_t
busy_in(
    const struct cp_cpu_load *l, const struct cp_cpu_load_one *c, uint32_t i)
{
	return c->busy_in != NULL ? c->busy_in[i] : 0;
}

static uint64_t
mean_in(
    const struct cp_cpu_load *l, const struct cp_cpu_load_one *c, uint32_t i)
{
	return (uint64_t)(queue_mean(l, c, i) * 1000 + 0.5);
}

static uint64_t
most_in(
    const struct cp_cpu_load *l, const struct cp_cpu_load_one *c, uint32_t i)
{
	return (uint64_t)queue_most(l, c, i);
}

static const struct view {
	const char *slug, *title, *value;
	enum cp_column_type type;
	enum cp_merge merge;
	uint64_t (*cell)(const struct cp_cpu_load *,
	    const struct cp_cpu_load_one *, uint32_t);
} views[] = {
	{ "load", "Utilization: time that each CPU was busy,", "busy",
	    CP_COL_TIME, CP_MERGE_SUM, busy_in },
	{ "queues", "Run queues: threads that waited on average,", "waiting",
	    CP_COL_RATE, CP_MERGE_MEAN, mean_in },
	{ "queues-most", "Run queues: threads that waited at most,", "waiting",
	    CP_COL_COUNT, CP_MERGE_MOST, most_in },
};

static struct cp_grid *
grid_new(struct cp_sched *s, const struct view *v, struct cp_report *rep)
{
	const struct cp_cpu_load *l = &s->load;
	const char **labels =
	    cp_run_alloc(s->run, (l->n + 1) * sizeof(*labels));
	struct cp_axis x = { .name = "time",
		.type = CP_COL_CLOCK,
		.count = slices(l),
		.from = l->base,
		.step = UINT64_C(1) << l->shift };
	struct cp_axis y = {
		.name = "CPU", .type = CP_COL_TEXT, .labels = labels
	};
	struct cp_word word;
	char title[120];

	cp_word_time(&word, x.step);
	snprintf(title, sizeof(title), "%s per %s", v->title, word.text);
	for (uint32_t i = 0; i < l->n; i++)
		if (l->cpu[i].seen && cp_run_keeps_cpu(s->run, i))
			labels[y.count++] = cp_run_string(s->run,
			    cp_run_intern(s->run, cp_word_id(&word, i)));
	return cp_report_grid(rep, v->slug, title, &x, &y, v->value, v->type);
}

/* Shows a grid with a row per CPU. */
static void
show_grid(struct cp_sched *s, const struct view *v, struct cp_report *rep)
{
	const struct cp_cpu_load *l = &s->load;
	struct cp_grid *g = grid_new(s, v, rep);
	uint32_t n = slices(l), row = 0;

	cp_grid_merge(g, v->merge);
	for (uint32_t i = 0; i < l->n; i++) {
		if (!l->cpu[i].seen || !cp_run_keeps_cpu(s->run, i))
			continue;
		for (uint32_t k = 0; k < n; k++)
			cp_grid_add(g, k, row, v->cell(l, &l->cpu[i], k));
		row++;
	}
}

void
cp_sched_cpus(struct cp_sched *s, struct cp_report *rep)
{
	uint64_t length = cp_cpu_load_length(&s->load);
	bool any = false;

	for (uint32_t i = 0; i < s->load.n; i++)
		any |= s->load.cpu[i].seen;
	if (!any || cp_spans_tasks_only(s->tasks))
		return;
	show_table(s, length, rep);
	if (s->load.base == CP_NO_TIME)
		return;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		show_grid(s, &views[i], rep);
}
