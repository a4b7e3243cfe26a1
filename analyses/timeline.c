/* SPDX-License-Identifier: MIT */
/*
 * timeline: when things happened.
 *
 * Heat maps with a column a second and rows within it (column and rows are
 * options): samples, and with events of the scheduler time off the CPU and
 * time in the run queue.  Lanes of threads and of CPUs: what they did, from
 * the scheduler's events, else how many samples they have.  Change points of
 * the rate of samples, as changepoints.h finds them; windows are told as
 * --time takes them.
 *
 * Samples are those of one event, the first that is no tracepoint if there
 * is one.  Lanes have some hundred buckets; what is shorter is averaged.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/buckets.h"
#include "analyses/changepoints.h"
#include "analyses/index.h"
#include "analyses/options.h"
#include "analyses/recipe.h"
#include "analyses/schedevents.h"
#include "analyses/taskstate.h"
#include "analyses/waitwatch.h"
#include "analyses/words.h"

#define LANE_BUCKETS 600u
#define FIRST_WIDTH (UINT64_C(1) << 20) /* ns */
#define MAX_ROWS 1000u
/* Slots of a heat map of spans: two weeks of 20 ms; 1 GiB of them. */
#define MAX_SLOTS (64u << 20)
#define LONGEST (UINT64_C(1) << 61) /* ns */
#define MAX_CHANGES 200
#define MAX_BINS 1500u

/* Time in slots: what lies in a slot, and how many spans fill it. */
struct slots {
	uint64_t *part;
	int32_t *whole; /* change of their number at a slot */
	uint32_t part_cap, whole_cap;
	uint32_t n;
};

struct series {
	double *count;
	uint32_t n;
	uint64_t from, width; /* ns since the origin; of a bin */
};

struct timeline {
	struct cp_run *run;
	uint64_t column, slot; /* ns */
	uint32_t rows;
	uint64_t lanes, top;
	uint64_t origin; /* CP_NO_TIME until the first event */
	uint64_t from, to; /* of --time */
	struct cp_sched_decoder decoder;
	struct cp_taskstate state;
	struct cp_tally *samples; /* event, slot */
	struct slots off, waiting;
	bool too_long;
	/* Keys: event << 32 | tid or cpu; thread or cpu << 8 | kind. */
	struct cp_buckets sampled_threads, sampled_cpus;
	struct cp_buckets threads, cpus;
	/* Of finish(). */
	uint32_t event; /* whose samples count */
	struct series steady; /* has no change, if n is not 0 */
	size_t hidden; /* threads */
};

static void on_span(void *, const struct cp_span *);

static int
timeline_begin(struct cp_run *run, void *state)
{
	struct timeline *t = state;
	uint64_t rows = cp_run_option_u64(run, "rows");

	t->run = run;
	t->column = cp_parse_duration(cp_run_option(run, "column"));
	t->lanes = cp_run_option_u64(run, "lanes");
	t->top = cp_run_option_u64(run, "top");
	if (t->column == 0 || rows == 0 || rows > MAX_ROWS ||
	    t->column % rows != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--column wants a duration, as 1s or 100ms, and --rows "
		    "a number that divides it");
		return CP_FAIL;
	}
	t->rows = (uint32_t)rows;
	t->slot = t->column / rows;
	t->origin = CP_NO_TIME;
	t->samples = cp_tally_new(run);
	cp_buckets_init(&t->sampled_threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->sampled_cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->threads, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_buckets_init(&t->cpus, run, LANE_BUCKETS, FIRST_WIDTH);
	cp_sched_decoder_init(&t->decoder, run);
	cp_taskstate_init(&t->state, run, on_span, t);
	return CP_OK;
}

/* Nanoseconds since the start, 0 for what was before; at most a century. */
static uint64_t
since(struct timeline *t, uint64_t time)
{
	if (t->origin == CP_NO_TIME) {
		t->origin = cp_run_start(t->run);
		if (t->origin == CP_NO_TIME)
			t->origin = time;
	}
	if (time <= t->origin)
		return 0;
	return time - t->origin < LONGEST ? time - t->origin : LONGEST;
}

/* ------------------------------------------------------------------ spans */

static void
slots_add(struct timeline *t, struct slots *s, uint64_t from, uint64_t to)
{
	uint64_t a = from / t->slot, b = to / t->slot;

	if (b >= MAX_SLOTS) {
		t->too_long = true;
		return;
	}
	cp_grow_to(t->run, s->part, &s->part_cap, (uint32_t)b);
	cp_grow_to(t->run, s->whole, &s->whole_cap, (uint32_t)b);
	s->n = s->n > b + 1 ? s->n : (uint32_t)b + 1;
	if (a == b) {
		s->part[a] += to - from;
		return;
	}
	s->part[a] += (a + 1) * t->slot - from;
	s->part[b] += to - b * t->slot;
	s->whole[a + 1]++;
	s->whole[b]--;
}

static void
on_span(void *ctx, const struct cp_span *span)
{
	struct timeline *t = ctx;
	const struct cp_sched_thread *thread = span->thread;
	uint64_t from = span->start > t->from ? span->start : t->from;
	uint64_t to = span->end < t->to ? span->end : t->to;
	uint64_t key = (uint64_t)thread->index << 8 | span->kind;

	if (from >= to ||
	    !cp_run_keeps_task(t->run, cp_sched_thread_pid(&t->state, thread),
	        thread->tid, cp_sched_thread_name(&t->state, thread)))
		return;
	from = since(t, from);
	to = since(t, to);
	cp_buckets_span(&t->threads, key, from, to);
	if (span->kind == CP_SPAN_RUNNING) {
		if (thread->cpu != CP_NO_ID)
			cp_buckets_span(&t->cpus,
			    (uint64_t)thread->cpu << 8 | span->kind, from, to);
		return;
	}
	if (span->kind == CP_SPAN_UNKNOWN)
		return;
	slots_add(t, &t->off, from, to);
	if (span->kind != CP_SPAN_BLOCKED)
		slots_add(t, &t->waiting, from, to);
}

static void
take(struct timeline *t, const struct cp_sched_event *ev)
{
	if (ev->time == CP_NO_TIME)
		return;
	if (t->origin == CP_NO_TIME) {
		(void)since(t, ev->time);
		cp_run_window(t->run, &t->from, &t->to);
	}
	cp_taskstate_event(&t->state, ev);
}

static int
timeline_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct timeline *t = state;
	struct cp_sched_event ev;
	uint64_t at, event = (uint64_t)s->evsel << 32;

	if (s->time == CP_NO_TIME)
		return CP_OK;
	cp_sched_decode_sample(&t->decoder, s, &ev);
	take(t, &ev);
	if (!s->kept)
		return CP_OK;
	at = since(t, s->time);
	cp_tally_add(t->samples, s->evsel, at / t->slot, 1);
	if (ev.kind != CP_SCHED_NONE)
		return CP_OK; /* lanes are made of spans then */
	cp_buckets_add(&t->sampled_threads, event | s->tid, at, 1);
	cp_buckets_add(&t->sampled_cpus, event | s->cpu, at, 1);
	return CP_OK;
}

static int
timeline_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct timeline *t = state;
	struct cp_sched_event ev;

	cp_sched_decode_sideband(&t->decoder, e, &ev);
	take(t, &ev);
	return CP_OK;
}

/* ---------------------------------------------------------------- heat maps */

/* The first event that samples code, else the one with most samples. */
static uint32_t
choose_event(const struct timeline *t)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->samples, &rows);
	uint32_t events = cp_run_evsel_count(t->run), best = CP_NO_ID;
	uint64_t *count = cp_run_alloc(t->run, (events + 1) * sizeof(*count));

	for (size_t i = 0; i < n; i++)
		count[rows[i].a] += rows[i].count;
	for (uint32_t e = 0; e < events; e++) {
		const struct cp_evsel *evsel = cp_run_evsel(t->run, e);

		if (count[e] == 0 || evsel->dummy)
			continue;
		if (!evsel->tracepoint)
			return e;
		if (best == CP_NO_ID || count[e] > count[best])
			best = e;
	}
	return best;
}

static struct cp_grid *
grid_new(const struct timeline *t, struct cp_report *rep, const char *slug,
    const char *title, const char *value, enum cp_column_type type,
    uint64_t slots)
{
	struct cp_axis x = { .name = "from", .type = CP_COL_CLOCK,
		.count = (uint32_t)((slots + t->rows - 1) / t->rows),
		.from = t->origin, .step = t->column };
	struct cp_axis y = { .name = "offset", .type = CP_COL_TIME,
		.count = t->rows, .step = t->slot };

	return cp_report_grid(rep, slug, title, &x, &y, value, type);
}

static void
show_samples(struct timeline *t, struct cp_report *rep)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->samples, &rows);
	struct cp_grid *grid;
	uint64_t last = 0;
	char title[400];

	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event && rows[i].b > last)
			last = rows[i].b;
	if (last / t->rows >= UINT32_MAX - 1) {
		t->too_long = true;
		return;
	}
	snprintf(title, sizeof(title), "Samples of %.300s over time",
	    cp_event_name(t->run, t->event));
	grid = grid_new(
	    t, rep, "samples", title, "samples", CP_COL_COUNT, last + 1);
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event)
			cp_grid_add(grid, (uint32_t)(rows[i].b / t->rows),
			    (uint32_t)(rows[i].b % t->rows), rows[i].count);
}

static void
show_slots(const struct timeline *t, struct cp_report *rep,
    const struct slots *s, const char *slug, const char *title,
    const char *value)
{
	struct cp_grid *grid =
	    grid_new(t, rep, slug, title, value, CP_COL_TIME, s->n);
	int64_t whole = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		whole += s->whole[i];
		cp_grid_add(grid, i / t->rows, i % t->rows,
		    s->part[i] + (uint64_t)whole * t->slot);
	}
}

/* -------------------------------------------------------------------- lanes */

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
 * Rows that are sorted by key as lanes, by key >> shift; what is active
 * counts: kinds of that mask.
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
			lane[m++] = (struct lane) { .id = id, .first = i };
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

/* Spans of what fills most of each bucket, neighbours that are alike joined. */
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
joiner_add(struct joiner *j, uint32_t kind, uint64_t start, uint64_t end,
    double level)
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
		    start + width,
		    (double)rows[best].weight / (double)width);
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
	    cp_taskstate_thread(&t->state, (uint32_t)id);

	snprintf(out, size, "%.40s %" PRIu32,
	    cp_run_string(
		t->run, cp_sched_thread_name(&t->state, thread)),
	    thread->tid);
}

static void
show_lanes(struct timeline *t, struct cp_report *rep,
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
			snprintf(name, sizeof(name), "CPU %" PRIu64,
			    lane[i].id);
		else
			thread_text(t, lane[i].id, name, sizeof(name));
		j.lane = cp_lanes_lane(l, name);
		lane_spans(t, &j, &rows[lane[i].first],
		    lane[i].end - lane[i].first, b->width);
	}
	if (!cpus)
		t->hidden = n - shown;
}

/* How much of a bucket a sample stands for; 0: not known. */
static double
sample_share(const struct timeline *t, uint64_t width)
{
	const struct cp_evsel *e = cp_run_evsel(t->run, t->event);

	return e->freq && e->sample_period != 0
	    ? 1e9 / (double)e->sample_period / (double)width
	    : 0;
}

static void
sampled_name(const struct timeline *t, uint32_t id, bool cpu, char *out,
    size_t size)
{
	cp_string_id comm = 0;
	uint32_t pid;

	if (cpu && id == CP_NO_ID)
		snprintf(out, size, "CPU not recorded");
	else if (cpu)
		snprintf(out, size, "CPU %" PRIu32, id);
	else if (cp_run_thread(t->run, id, &pid, &comm))
		snprintf(out, size, "%.40s %" PRIu32,
		    cp_run_string(t->run, comm), id);
	else
		snprintf(out, size, "%" PRId32, (int32_t)id);
}

static void
show_sampled(const struct timeline *t, struct cp_report *rep,
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
		sampled_name(t, (uint32_t)lane[i].id, cpus, name,
		    sizeof(name));
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

/* ------------------------------------------------------------ change points */

/* Counts of the event's samples in bins that hold some each. */
static struct series
series_of(const struct timeline *t)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(t->samples, &rows);
	uint64_t first = UINT64_MAX, last = 0, all = 0, by, bins;
	struct series s = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (rows[i].a != t->event)
			continue;
		all += rows[i].count;
		first = rows[i].b < first ? rows[i].b : first;
		last = rows[i].b > last ? rows[i].b : last;
	}
	if (all == 0)
		return s;
	bins = all / 5 < 20 ? 20 : all / 5 > MAX_BINS ? MAX_BINS : all / 5;
	by = (last - first + bins) / bins;
	s.n = (uint32_t)((last - first + 1) / by);
	s.from = first * t->slot;
	s.width = by * t->slot;
	s.count = cp_run_alloc(t->run, ((size_t)s.n + 1) * sizeof(*s.count));
	for (size_t i = 0; i < n; i++)
		if (rows[i].a == t->event && (rows[i].b - first) / by < s.n)
			s.count[(rows[i].b - first) / by] +=
			    (double)rows[i].count;
	return s;
}

/* "+12.34,+15.6": what --time takes, from the start of the capture. */
static void
window_text(const struct timeline *t, uint64_t from, uint64_t to, char *out,
    size_t size)
{
	uint64_t start = cp_run_start(t->run);
	uint64_t shift = t->origin > start ? t->origin - start : 0;
	double a = (double)(from + shift) / 1e9;
	double b = (double)(to + shift) / 1e9;

	snprintf(out, size, "--time +%.3f,+%.3f", a, b);
}

static void
change_row(const struct timeline *t, struct cp_table *table,
    const struct series *s, const struct cp_changepoint *c, uint32_t end)
{
	uint64_t at = s->from + c->at * s->width;
	uint64_t to = s->from + end * s->width;
	double second = 1e9 / (double)s->width;
	char text[100];

	cp_table_row(table);
	cp_table_u64(table, at + t->origin > cp_run_start(t->run)
		? at + t->origin - cp_run_start(t->run)
		: 0);
	if (!cp_run_wall_clock(t->run, t->origin + at, text, sizeof(text)))
		snprintf(text, sizeof(text), "-");
	cp_table_text(table, text);
	cp_table_value(table, c->before * second, 1, 0);
	cp_table_value(table, c->after * second, 1, 0);
	cp_table_value(table, c->change, c->lo, c->hi);
	window_text(t, at, to, text, sizeof(text));
	cp_table_text(table, text);
}

static int
compare_gain(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a < b) - (a > b);
}

/* The gain that the top changes have at least. */
static double
least_gain(const struct timeline *t, const struct cp_changepoint *c, size_t n)
{
	double *gain = cp_run_alloc(t->run, (n + 1) * sizeof(*gain));

	if (t->top == 0 || n <= t->top)
		return 0;
	for (size_t i = 0; i < n; i++)
		gain[i] = c[i].gain;
	qsort(gain, n, sizeof(*gain), compare_gain);
	return gain[t->top - 1];
}

static void
show_changes(struct timeline *t, struct cp_report *rep)
{
	struct cp_table *table = cp_report_table(rep, "changes",
	    "Where the rate of samples changes, and the window until the next "
	    "change");
	struct series s = series_of(t);
	struct cp_changepoint *c =
	    cp_run_alloc(t->run, MAX_CHANGES * sizeof(*c));
	size_t n = cp_changepoints(t->run, s.count, s.n, MAX_CHANGES, c);
	double least = least_gain(t, c, n);
	uint64_t hidden = 0;

	cp_table_column(table, "At", CP_COL_TIME);
	cp_table_column(table, "Wall clock", CP_COL_TEXT);
	cp_table_column(table, "Before per s", CP_COL_RATE);
	cp_table_column(table, "After per s", CP_COL_RATE);
	cp_table_column(table, "Change", CP_COL_CHANGE);
	cp_table_column(table, "Window", CP_COL_TEXT);
	for (size_t i = 0; i < n; i++) {
		if (c[i].gain < least) {
			hidden++;
			continue;
		}
		change_row(t, table, &s, &c[i],
		    i + 1 < n ? c[i + 1].at : s.n);
	}
	if (hidden != 0)
		cp_table_rest(table, hidden, 0);
	if (n == 0)
		t->steady = s;
}

static void
show_notes(const struct timeline *t, struct cp_report *rep)
{
	if (t->steady.n != 0)
		cp_report_note(rep,
		    "The rate of samples is steady: no change beyond chance "
		    "in %" PRIu32 " pieces of %.0f ms.",
		    t->steady.n, (double)t->steady.width / 1e6);
	if (t->hidden != 0)
		cp_report_note(rep, "%zu more threads are not shown (--lanes).",
		    t->hidden);
	if (t->too_long)
		cp_report_note(rep, "The capture is longer than the heat maps "
		    "can show; a larger --column shows it.");
	if (cp_sched_source(&t->decoder) == CP_SCHED_BY_NOTHING)
		cp_recipe_note(rep,
		    "switches of threads, so it is not shown when they waited",
		    CP_WAITWATCH_RECIPE);
}

static int
timeline_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct timeline *t = state;
	bool sched;

	cp_taskstate_finish(&t->state);
	sched = cp_sched_source(&t->decoder) != CP_SCHED_BY_NOTHING;
	t->event = choose_event(t);
	if (t->origin == CP_NO_TIME) {
		cp_report_note(rep, "Nothing has a time.");
		return CP_OK;
	}
	if (t->event != CP_NO_ID) {
		show_changes(t, rep);
		show_samples(t, rep);
	}
	if (sched && t->off.n != 0)
		show_slots(t, rep, &t->off, "offcpu",
		    "Time of all threads off the CPU", "off the CPU");
	if (sched && t->waiting.n != 0)
		show_slots(t, rep, &t->waiting, "runqueue",
		    "Time of all threads in run queues", "waiting");
	if (sched) {
		show_lanes(t, rep, &t->threads, false);
		show_lanes(t, rep, &t->cpus, true);
	} else if (t->event != CP_NO_ID) {
		show_sampled(t, rep, &t->sampled_threads, false);
		show_sampled(t, rep, &t->sampled_cpus, true);
	}
	show_notes(t, rep);
	return CP_OK;
}

static const struct cp_option timeline_options[] = {
	{ "column", "DURATION", "1s", "what a column of the heat maps spans" },
	{ "rows", "N", "50", "rows of a column" },
	{ "lanes", "N", "40", "lanes of threads and of CPUs, 0: all" },
	{ "top", "N", "20", "show the N surest changes, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(timeline) = {
	.abi = CP_ABI,
	.name = "timeline",
	.summary = "when: heat maps of seconds, lanes, and changes of rate",
	.wants = CP_WANT_SAMPLES | CP_WANT_RAW | CP_WANT_ALL,
	.options = timeline_options,
	.state_size = sizeof(struct timeline),
	.begin = timeline_begin,
	.sample = timeline_sample,
	.event = timeline_event,
	.finish = timeline_finish,
};
