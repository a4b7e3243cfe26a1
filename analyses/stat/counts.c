/* SPDX-License-Identifier: MIT */
#include "analyses/stat/counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/stat/metric.h"

#define NS 1e9

/*
 * A count of an event: of a round, or of all; of a part, or of all.  Counts of
 * rounds are scaled each by itself: their sum is nearer to the truth than the
 * scaled sum.
 */
struct row {
	uint64_t round, part;
	uint32_t event, thread, tid;
	uint64_t value; /* scaled to the time that the counter was enabled */
	uint64_t enabled, running;
};

struct counts {
	struct cp_run *run;
	const struct cp_stat *all;
	enum cp_counts_by by;
	struct row *rows;
	size_t n;
	struct cp_metric *metrics; /* by event */
	bool rounds;
};

static const char *const heads[] = { "", "CPU", "Core", "Socket", "Thread" };

static uint64_t
part_of(const struct counts *c, const struct cp_reading *r)
{
	uint32_t socket = CP_NO_ID, core = CP_NO_ID;

	switch (c->by) {
	case CP_COUNTS_CPU: return r->cpu;
	case CP_COUNTS_THREAD: return r->thread;
	case CP_COUNTS_CORE:
	case CP_COUNTS_SOCKET:
		if (!cp_run_topology(c->run, r->cpu, &socket, &core))
			return CP_NO_ID;
		return c->by == CP_COUNTS_SOCKET
			   ? socket
			   : (uint64_t)socket << 32 | core;
	default: return 0;
	}
}

static uint64_t
scaled(const struct cp_reading *r)
{
	double value = (double)r->value;

	if (r->running == 0 || r->running >= r->enabled)
		return r->value;
	value *= (double)r->enabled / (double)r->running;
	return value < 0x1p63 ? (uint64_t)value : UINT64_MAX;
}

static int
compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

/* Fills c->rows: one for each event of each part, and of each round. */
static void
sum_up(struct counts *c)
{
	const struct cp_stat *all = c->all;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct cp_reading *r = &all->readings[i];

		/* perf reads once more at the end, after the last interval. */
		if (c->rounds && r->round >= all->rounds && r->enabled == 0)
			continue;
		c->rows[n++] = (struct row){ .round = c->rounds ? r->round : 0,
			.part = part_of(c, r),
			.event = r->event,
			.thread = r->thread,
			.tid = r->tid,
			.value = scaled(r),
			.enabled = r->enabled,
			.running = r->running };
	}
	qsort(c->rows, n, sizeof(*c->rows), compare);
	for (size_t i = 0; i < n; i++) {
		struct row *to = &c->rows[kept == 0 ? 0 : kept - 1];

		if (kept == 0 || compare(to, &c->rows[i]) != 0) {
			c->rows[kept++] = c->rows[i];
			continue;
		}
		to->value += c->rows[i].value;
		to->enabled += c->rows[i].enabled;
		to->running += c->rows[i].running;
	}
	c->n = kept;
}

/* The same round's and part's count of another event; NULL: there is none. */
static const struct row *
beside(const struct counts *c, const struct row *r, uint32_t event)
{
	struct row key = *r;

	key.event = event;
	return bsearch(&key, c->rows, c->n, sizeof(key), compare);
}

static double
count(const struct counts *c, const struct row *r)
{
	const struct cp_evsel *e = cp_run_evsel(c->run, r->event);

	return r->running != 0 ? (double)r->value * e->scale : NAN;
}

/* The part of the time that it was counted. */
static double
counted(const struct row *r)
{
	return r->enabled != 0
		   ? fmin((double)r->running / (double)r->enabled, 1)
		   : 0;
}

/* How long the row's round was, in ns; 0: not known. */
static uint64_t
passed(const struct counts *c, const struct row *r)
{
	const uint64_t *times = c->all->times;

	if (!c->rounds)
		return c->all->elapsed;
	if (r->round >= c->all->rounds)
		return 0;
	return times[r->round] - (r->round != 0 ? times[r->round - 1] : 0);
}

static double
metric(const struct counts *c, const struct row *r)
{
	const struct cp_metric *m = &c->metrics[r->event];
	const struct row *base;
	double by;

	if (m->of == NULL)
		return NAN;
	if (m->base == CP_NO_ID)
		by = (double)passed(c, r);
	else if ((base = beside(c, r, m->base)) == NULL || base->running == 0)
		return NAN;
	else
		by = (double)base->value;
	return by > 0 && r->running != 0 ? (double)r->value / by * m->factor
					 : NAN;
}

/* Returns what a row is of, in the caller's text. */
static const char *
part_text(const struct counts *c, const struct row *r, char text[static 64])
{
	switch (c->by) {
	case CP_COUNTS_CORE:
		snprintf(text, 64, "S%" PRIu64 " C%" PRIu64, r->part >> 32,
		    r->part & UINT32_MAX);
		break;
	case CP_COUNTS_THREAD:
		snprintf(text, 64, "%.16s %" PRIu32,
		    cp_run_counted_comm(c->run, r->thread), r->tid);
		break;
	default: snprintf(text, 64, "%" PRIu64, r->part); break;
	}
	return r->part == CP_NO_ID ? "-" : text;
}

static void
row_cells(void *ctx, struct cp_table *t, uint64_t i)
{
	const struct counts *c = ctx;
	const struct row *r = &c->rows[i];
	const struct cp_evsel *e = cp_run_evsel(c->run, r->event);
	const struct cp_metric *m = &c->metrics[r->event];
	double value = metric(c, r);
	char part[64];

	cp_table_add(t,
	    c->rounds && r->round < c->all->rounds ? c->all->times[r->round]
						   : CP_NO_TIME,
	    part_text(c, r, part), count(c, r), e->unit, e->name, value,
	    isnan(value) ? "" : m->of, counted(r));
}

static void
table(struct counts *c, struct cp_report *rep, bool rounds)
{
	const struct cp_column_spec columns[] = { CP_TIME("Until"),
		CP_TEXT(heads[c->by]), CP_NUMBER("Count"), CP_TEXT("Unit"),
		CP_TEXT("Event"), CP_NUMBER("Metric"), CP_TEXT("Of"),
		CP_SHARE("Counted") };
	enum { SHOWN = 80 };
	struct cp_table *t =
	    cp_report_table(rep, rounds ? "intervals" : "counts",
		rounds ? "Intervals" : "Counts", CP_COLUMNS(columns));

	if (!rounds)
		cp_table_without(t, "Until");
	if (c->by == CP_COUNTS_TOTAL)
		cp_table_without(t, heads[c->by]);
	c->rounds = rounds;
	c->rows = cp_run_alloc(c->run, (c->all->n + 1) * sizeof(*c->rows));
	sum_up(c);
	cp_table_rows(t, c->n, row_cells, c);
	if (rounds)
		cp_table_brief(t, SHOWN);
}

/* Events that perf described and never read. */
static void
note_unread(const struct counts *c, struct cp_report *rep)
{
	uint32_t events = cp_run_evsel_count(c->run);
	bool *read = cp_run_alloc(c->run, events + 1);

	for (size_t i = 0; i < c->n; i++)
		read[c->rows[i].event] = true;
	for (uint32_t i = 0; i < events; i++)
		if (!read[i])
			cp_report_note(rep,
			    "no counter of %.100s was read: the host did not "
			    "support it, or its counts are missing",
			    cp_run_evsel(c->run, i)->name);
}

/* Events that had no counter, or only a part of the time. */
static void
notes(const struct counts *c, struct cp_report *rep)
{
	double least = 1;

	if (c->all->unended)
		cp_report_note(rep,
		    "the record that ends the counts is missing: counts may be "
		    "missing, too");
	note_unread(c, rep);
	for (size_t i = 0; i < c->n; i++) {
		const struct row *r = &c->rows[i];
		const char *name = cp_run_evsel(c->run, r->event)->name;

		if (r->running == 0 && c->by == CP_COUNTS_TOTAL)
			cp_report_note(rep, "%s was not counted", name);
		else if (r->running != 0)
			least = fmin(least, counted(r));
	}
	if (least < 0.99)
		cp_report_note(rep,
		    "more events than counters: they took turns, and one was "
		    "counted for %.1f %% of the time; counts are scaled to all "
		    "of it, and metrics of two events are uncertain",
		    100 * least);
}

enum cp_counts_by
cp_counts_usual(struct cp_run *run)
{
	const struct cp_stat *all = cp_run_counted(run);

	for (size_t i = 0; i < all->n && all->by == CP_COUNTED_PARTS; i++)
		if (all->readings[i].thread != 0)
			return CP_COUNTS_THREAD;
	if (all->by == CP_COUNTED_ALL || all->n == 0 ||
	    all->readings[0].cpu == CP_NO_ID)
		return CP_COUNTS_TOTAL;
	if (all->by == CP_COUNTED_SOCKETS)
		return CP_COUNTS_SOCKET;
	return all->by == CP_COUNTED_CPUS ? CP_COUNTS_CPU : CP_COUNTS_CORE;
}

static struct counts *
counts_of(struct cp_run *run, enum cp_counts_by by)
{
	uint32_t events = cp_run_evsel_count(run);
	struct counts *c = cp_run_alloc(run, 2 * sizeof(*c));

	c->run = run;
	c->all = cp_run_counted(run);
	c->by = by;
	c->metrics = cp_run_alloc(run, events * sizeof(*c->metrics));
	for (uint32_t i = 0; i < events; i++)
		c->metrics[i] = cp_metric_of(run, i);
	c[1] = c[0];
	return c;
}

size_t
cp_counts_totals(struct cp_run *run, struct cp_count *to, size_t n)
{
	struct counts *c = counts_of(run, CP_COUNTS_TOTAL);

	c->rows = cp_run_alloc(run, (c->all->n + 1) * sizeof(*c->rows));
	sum_up(c);
	for (size_t i = 0; i < n && i < c->n; i++) {
		const struct row *r = &c->rows[i];
		const struct cp_evsel *e = cp_run_evsel(run, r->event);
		const char *of = c->metrics[r->event].of;

		to[i] = (struct cp_count){ .count = count(c, r),
			.metric = metric(c, r),
			.counted = counted(r) };
		snprintf(to[i].event, sizeof(to[i].event), "%s", e->name);
		snprintf(to[i].unit, sizeof(to[i].unit), "%s", e->unit);
		snprintf(
		    to[i].of, sizeof(to[i].of), "%s", of != NULL ? of : "");
	}
	return c->n;
}

void
cp_counts_show(struct cp_run *run, struct cp_report *rep, enum cp_counts_by by,
    bool intervals)
{
	struct counts *c = counts_of(run, by);

	if (c->all->elapsed != 0)
		cp_report_scalar(
		    rep, "Counted", "elapsed", CP_COL_TIME, c->all->elapsed);
	table(&c[0], rep, false);
	notes(&c[0], rep);
	if (intervals && c->all->rounds > 1)
		table(&c[1], rep, true);
}

bool
cp_counts_sums(struct cp_run *run, struct cp_report *rep)
{
	if (cp_run_counted(run) == NULL)
		return false;
	cp_counts_show(run, rep, cp_counts_usual(run), false);
	cp_report_note(rep,
	    "perf stat made this capture: it has counts and no samples; "
	    "coldperf stat has the intervals");
	return true;
}
