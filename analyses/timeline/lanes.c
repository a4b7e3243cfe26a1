/* SPDX-License-Identifier: MIT */
/* Lanes of threads and of CPUs: the most frequent state in each bucket. */
#include "analyses/timeline/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct lane {
	uint64_t id, weight;
	size_t first, end; /* rows */
};

static int
compare_weight(const void *pa, const void *pb)
{
	const struct lane *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int
compare_id(const void *pa, const void *pb)
{
	const struct lane *a = pa, *b = pb;

	return a->id < b->id ? -1 : a->id > b->id;
}

/*
 * Makes lanes of rows sorted by key; the lane is key >> shift.  active: mask of
 * the kinds that count for their order.
 */
static size_t
lanes_of(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    unsigned shift, unsigned active, struct lane **out)
{
	struct lane *lane = cp_run_alloc(run, (n + 1) * sizeof(*lane));
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t id = rows[i].a >> shift;
		unsigned kind = shift != 0 ? rows[i].a & 31 : 0;

		if (m == 0 || lane[m - 1].id != id)
			lane[m++] = (struct lane){ .id = id, .first = i };
		lane[m - 1].end = i + 1;
		if (active & 1u << kind)
			lane[m - 1].weight += rows[i].weight;
	}
	*out = lane;
	return m;
}

static size_t
heaviest(const struct timeline *t, struct lane *lane, size_t n)
{
	if (n != 0)
		qsort(lane, n, sizeof(*lane), compare_weight);
	return t->lanes != 0 && n > t->lanes ? (size_t)t->lanes : n;
}

/* Makes spans of the main kind of each bucket, joining equal neighbours. */
struct joiner {
	struct cp_lanes *lanes;
	uint32_t lane, kind;
	uint64_t start, end;
	double level;
	bool open;
};

static void
joiner_end(struct joiner *j)
{
	if (!j->open)
		return;
	cp_lanes_span(j->lanes, j->lane, j->kind, j->start, j->end, NULL);
	cp_lanes_level(j->lanes, j->level);
	j->open = false;
}

static void
joiner_add(
    struct joiner *j, uint32_t kind, uint64_t start, uint64_t end, double level)
{
	if (j->open && (j->kind != kind || j->end != start ||
			   fabs(j->level - level) > 0.03))
		joiner_end(j);
	if (!j->open) {
		j->start = start;
		j->kind = kind;
		j->level = level;
		j->open = true;
	}
	j->end = end;
}

static int
compare_bucket(const void *pa, const void *pb)
{
	const struct cp_tally_row *a = pa, *b = pb;

	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	return a->a < b->a ? -1 : a->a > b->a;
}

static void
lane_spans(const struct timeline *t, struct joiner *j,
    struct cp_tally_row *rows, size_t n, uint64_t width)
{
	qsort(rows, n, sizeof(*rows), compare_bucket);
	for (size_t i = 0, end; i < n; i = end) {
		size_t best = i;
		uint64_t start = t->origin + rows[i].b * width;

		for (end = i; end < n && rows[end].b == rows[i].b; end++)
			if (rows[end].weight > rows[best].weight)
				best = end;
		joiner_add(j, (uint32_t)(rows[best].a & 0xff), start,
		    start + width, (double)rows[best].weight / (double)width);
	}
	joiner_end(j);
}

static void
add_kinds(struct cp_lanes *l)
{
	static const struct {
		const char *name;
		enum cp_tone tone;
	} kind[CP_SPAN_KINDS] = {
		[CP_SPAN_UNKNOWN] = { "unknown", CP_TONE_UNKNOWN },
		[CP_SPAN_RUNNING] = { "running", CP_TONE_RUN },
		[CP_SPAN_PREEMPTED] = { "preempted", CP_TONE_WAIT },
		[CP_SPAN_WOKEN] = { "waits for a CPU", CP_TONE_WAIT },
		[CP_SPAN_BLOCKED] = { "blocked", CP_TONE_BLOCK },
	};

	for (unsigned i = 0; i < CP_SPAN_KINDS; i++)
		cp_lanes_kind(l, kind[i].name, kind[i].tone);
}

static void
thread_text(const struct timeline *t, uint64_t id, char *out, size_t size)
{
	const struct cp_sched_thread *thread =
	    cp_spans_thread(t->state, (uint32_t)id);

	snprintf(out, size, "%.40s %" PRIu32,
	    cp_run_string(t->run, cp_sched_thread_name(t->state, thread)),
	    thread->tid);
}

void
cp_timeline_lanes(struct timeline *t, struct cp_report *rep,
    const struct cp_buckets *b, bool cpus)
{
	struct cp_lanes *l = cp_report_lanes(rep, cpus ? "cpus" : "threads",
	    cpus ? "CPUs" : "Threads, those that ran or wanted to most");
	struct joiner j = { .lanes = l };
	struct cp_tally_row *rows;
	size_t n = cp_buckets_rows(b, &rows), shown;
	struct lane *lane;

	add_kinds(l);
	n = lanes_of(t->run, rows, n, 8,
	    1u << CP_SPAN_RUNNING | 1u << CP_SPAN_PREEMPTED |
		1u << CP_SPAN_WOKEN,
	    &lane);
	shown = cpus ? n : heaviest(t, lane, n);
	for (size_t i = 0; i < shown; i++) {
		char name[64];

		if (cpus)
			snprintf(
			    name, sizeof(name), "CPU %" PRIu64, lane[i].id);
		else
			thread_text(t, lane[i].id, name, sizeof(name));
		j.lane = cp_lanes_lane(l, name);
		lane_spans(t, &j, &rows[lane[i].first],
		    lane[i].end - lane[i].first, b->width);
	}
	if (!cpus)
		t->hidden = n - shown;
}

/* Returns the part of a bucket that a sample stands for; 0: not known. */
static double
sample_share(const struct timeline *t, uint64_t width)
{
	const struct cp_evsel *e = cp_run_evsel(t->run, t->event);

	return e->freq && e->sample_period != 0
		   ? 1e9 / (double)e->sample_period / (double)width
		   : 0;
}

static void
sampled_cpu(uint32_t cpu, char *out, size_t size)
{
	if (cpu == CP_NO_ID)
		snprintf(out, size, "CPU not recorded");
	else
		snprintf(out, size, "CPU %" PRIu32, cpu);
}

static void
sampled_thread(const struct timeline *t, uint32_t i, char *out, size_t size)
{
	uint32_t tid = (uint32_t)t->sampled.all[i].a;
	cp_string_id comm = (cp_string_id)t->sampled.all[i].b;

	if (tid == CP_NO_ID)
		snprintf(out, size, "thread not recorded");
	else
		snprintf(out, size, "%.40s%s%" PRId32,
		    cp_run_string(t->run, comm), comm != 0 ? " " : "",
		    (int32_t)tid);
}

void
cp_timeline_sampled(const struct timeline *t, struct cp_report *rep,
    const struct cp_buckets *b, bool cpus)
{
	struct cp_lanes *l = cp_report_lanes(rep, cpus ? "cpus" : "threads",
	    cpus ? "Samples by CPU" : "Samples by thread, the most sampled");
	struct joiner j = { .lanes = l };
	struct cp_tally_row *rows;
	size_t n = cp_buckets_rows(b, &rows), m, shown;
	double share = sample_share(t, b->width);
	struct lane *lane;
	uint64_t most = 1;

	cp_lanes_kind(l, "samples", CP_TONE_RUN);
	m = lanes_of(t->run, rows, n, 0, 1, &lane);
	for (size_t i = 0, to = m; i < to; i++)
		if (lane[i].id >> 32 != t->event)
			lane[i].weight = 0;
	for (size_t i = 0; i < n; i++)
		if (rows[i].a >> 32 == t->event && rows[i].weight > most)
			most = rows[i].weight;
	shown = heaviest(t, lane, m);
	if (cpus)
		qsort(lane, shown, sizeof(*lane), compare_id);
	for (size_t i = 0; i < shown; i++) {
		char name[64];

		if (lane[i].weight == 0)
			continue;
		if (cpus)
			sampled_cpu((uint32_t)lane[i].id, name, sizeof(name));
		else
			sampled_thread(
			    t, (uint32_t)lane[i].id, name, sizeof(name));
		j.lane = cp_lanes_lane(l, name);
		for (size_t k = lane[i].first; k < lane[i].end; k++) {
			uint64_t at = t->origin + rows[k].b * b->width;
			double level = (double)rows[k].weight *
				       (share > 0 ? share : 1.0 / (double)most);

			joiner_add(&j, 0, at, at + b->width, level);
		}
		joiner_end(&j);
	}
}
