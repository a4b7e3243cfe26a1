/* SPDX-License-Identifier: MIT */
/*
 * report: the overview, to be read at a glance.
 *
 * The heaviest symbols each with the paths that lead to it, the heaviest
 * functions with what they call, the heaviest threads, when the samples came,
 * cycles per instruction where both were counted, the objects without
 * symbols, and notes on what was lost, on balance and on time.  Shows the
 * first event that has samples; `hotspots` shows all, and more.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/losses.h"
#include "analyses/cpi/brief.h"
#include "analyses/common/callees.h"
#include "analyses/common/sample-groups.h"
#include "analyses/common/sample-load.h"
#include "analyses/waits/brief.h"
#include "analyses/common/options.h"
#include "analyses/sched/brief.h"
#include "analyses/common/call-sums.h"
#include "analyses/common/unnamed-objects.h"
#include "analyses/common/label.h"

#define PATH_LENGTH 3 /* callers that tell one path from another */
#define PATHS 2       /* shown per symbol */
#define THREADS 5
#define WANTS                                                                  \
	(CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES | CP_WANT_SPOTS |    \
	    CP_WANT_OVERVIEW)
#define CPI_SYMBOLS 5

struct report {
	struct cp_run *run;
	uint64_t top;
	struct cp_groups events, threads;
	struct cp_tally *stacks;    /* group of events, stack */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu;    /* event, cpu */
	struct cp_load load;
	struct cp_offcpu_brief *offcpu;
	struct cp_sched_brief *sched;
	struct cpi *cpi;

	/* Of finish(), for the event shown. */
	uint32_t event;
	struct cp_mass all;
	struct cp_paths paths;
	struct cp_entities entities;
	struct cp_sums sums;
	struct symbol *symbols; /* heaviest first */
	uint32_t n_symbols, n_shown;
};

struct symbol {
	const struct report *r;
	struct cp_sum sum;
	uint32_t entity;
};

struct path {
	const struct report *r;
	struct cp_mass self, children;
	uint32_t rank;                /* of its symbol */
	uint32_t caller[PATH_LENGTH]; /* entities, CP_NO_ID: none */
};

struct thread {
	const struct report *r;
	struct cp_mass mass;
	uint64_t samples;
	uint32_t group; /* of threads */
};

static int
report_begin(struct cp_run *run, void *state)
{
	struct report *r = state;

	r->run = run;
	r->top = cp_run_option_u64(run, "top");
	cp_groups_init(&r->events, run, 0, 0);
	cp_groups_init(&r->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	r->stacks = cp_tally_new(run);
	r->by_thread = cp_tally_new(run);
	r->by_cpu = cp_tally_new(run);
	r->cpi = cp_cpi_brief_new(run, CPI_SYMBOLS);
	r->offcpu = cp_offcpu_brief_new(run);
	r->sched = cp_sched_brief_new(run);
	cp_run_wants(run, WANTS | cp_offcpu_brief_wants(run));
	return CP_OK;
}

static int
report_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct report *r = state;

	cp_offcpu_brief_sample(r->offcpu, s);
	cp_sched_brief_sample(r->sched, s);
	if (!s->kept)
		return CP_OK;
	cp_tally_add(
	    r->stacks, cp_groups_add(&r->events, s), s->stack, s->weight);
	cp_tally_add(r->by_thread, cp_groups_add(&r->threads, s), 0, s->weight);
	cp_tally_add(r->by_cpu, s->evsel, s->cpu, s->weight);
	cp_load_add(&r->load, s->time);
	cp_cpi_brief_sample(r->cpi, s);
	return CP_OK;
}

static int
report_event(struct cp_run *run, void *state, const struct cp_sideband *e)
{
	struct report *r = state;

	cp_offcpu_brief_event(r->offcpu, e);
	cp_sched_brief_event(r->sched, e);
	return CP_OK;
}

static void
sum_stacks(struct report *r)
{
	struct cp_grouped rows = cp_groups_sort(&r->events, r->stacks);

	cp_rows_name(r->run, rows.rows, rows.n);
	cp_paths_build_inlined(&r->paths, r->run, rows.rows, rows.n);
	cp_entities_init(&r->entities, r->run, r->paths.frames, true, true);
	cp_sums_init(&r->sums, &r->entities, &r->paths, true);
	for (uint32_t g = 0; g < r->events.n; g++) {
		if (r->events.all[g].v[CP_BY_EVENT] != r->event)
			continue;
		for (size_t i = rows.first[g]; i < rows.first[g + 1]; i++)
			cp_sums_add(&r->sums, &rows.rows[rows.order[i]]);
	}
	cp_sums_finish(&r->sums);
}

static int
compare_entities(const struct report *r, uint32_t a, uint32_t b)
{
	const struct cp_entity *ea = &r->entities.all[a];
	const struct cp_entity *eb = &r->entities.all[b];
	int c = cp_entity_compare_symbol(ea, eb);

	if (c == 0)
		c = cp_entity_compare_dso(r->run, ea, eb);
	return c != 0 ? c : (a > b) - (a < b);
}

static int
compare_symbols(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;
	int c = (a->sum.self < b->sum.self) - (a->sum.self > b->sum.self);

	if (c == 0)
		c = (a->sum.children < b->sum.children) -
		    (a->sum.children > b->sum.children);
	return c != 0 ? c : compare_entities(a->r, a->entity, b->entity);
}

static void
sort_symbols(struct report *r)
{
	r->symbols = cp_run_alloc(r->run, r->sums.n * sizeof(*r->symbols));
	r->n_symbols = r->sums.n;
	for (uint32_t i = 0; i < r->sums.n; i++) {
		uint32_t entity = r->sums.touched[i];

		r->symbols[i] = (struct symbol){
			.r = r, .entity = entity, .sum = r->sums.sum[entity]
		};
	}
	qsort(r->symbols, r->n_symbols, sizeof(*r->symbols), compare_symbols);
	r->n_shown = r->n_symbols;
	if (r->top != 0 && r->top < r->n_shown)
		r->n_shown = (uint32_t)r->top;
	while (r->n_shown != 0 && r->symbols[r->n_shown - 1].sum.self == 0)
		r->n_shown--;
}

/* The callers of a node, nearest first; CP_NO_ID above the outermost. */
static void
callers_of(
    const struct report *r, uint32_t node, uint32_t caller[static PATH_LENGTH])
{
	for (int i = 0; i < PATH_LENGTH; i++) {
		if (node != 0)
			node = r->sums.paths.parent[node];
		caller[i] = node != 0 ? r->sums.entity[node] : CP_NO_ID;
	}
}

static int
compare_callers(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return memcmp(a->caller, b->caller, sizeof(a->caller));
}

static bool
path_of(const struct report *r, uint32_t node, const uint32_t *rank,
    struct path *out)
{
	if (node == 0 || rank[r->sums.entity[node]] == 0)
		return false;
	*out = (struct path){ .r = r, .rank = rank[r->sums.entity[node]] - 1 };
	callers_of(r, node, out->caller);
	return true;
}

/* The distinct paths, sorted; every node's index among them in label. */
static struct path *
find_paths(const struct report *r, uint32_t *label, uint32_t *n)
{
	const struct cp_paths *p = &r->sums.paths;
	struct path *paths, *found, key;
	uint32_t *rank = cp_run_alloc(r->run, r->entities.n * sizeof(*rank));
	uint32_t all = 0;

	for (uint32_t i = 0; i < r->n_shown; i++)
		rank[r->symbols[i].entity] = i + 1;
	for (uint32_t i = 0; i < p->n; i++)
		all += i != 0 && rank[r->sums.entity[i]] != 0;
	paths = cp_run_alloc(r->run, all * sizeof(*paths));
	all = *n = 0;
	for (uint32_t i = 0; i < p->n; i++)
		all += path_of(r, i, rank, &paths[all]);
	qsort(paths, all, sizeof(*paths), compare_callers);
	for (uint32_t i = 0; i < all; i++)
		if (i == 0 || compare_callers(&paths[i], &paths[i - 1]) != 0)
			paths[(*n)++] = paths[i];
	for (uint32_t i = 0; i < p->n; i++) {
		label[i] = CP_NO_ID;
		if (!path_of(r, i, rank, &key))
			continue;
		found =
		    bsearch(&key, paths, *n, sizeof(*paths), compare_callers);
		label[i] = (uint32_t)(found - paths);
	}
	return paths;
}

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
compare_paths(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;
	int c = (a->rank > b->rank) - (a->rank < b->rank);

	if (c == 0)
		c = descending(a->self.weight, b->self.weight);
	if (c == 0)
		c = descending(a->children.weight, b->children.weight);
	for (int i = 0; c == 0 && i < PATH_LENGTH; i++) {
		uint32_t x = a->caller[i], y = b->caller[i];

		if (x == CP_NO_ID || y == CP_NO_ID)
			c = (x > y) - (x < y);
		else
			c = compare_entities(a->r, x, y);
	}
	return c;
}

static void
mass_add(struct cp_mass *m, uint64_t weight, double weight_sq)
{
	m->weight += weight;
	m->weight_sq += weight_sq;
}

/* Weights of the paths that lead to the symbols shown, heaviest first. */
static struct path *
sum_paths(const struct report *r, uint32_t *n)
{
	const struct cp_spread *s = &r->sums.spread;
	uint32_t nodes = r->sums.paths.n;
	uint32_t *label = cp_run_alloc(r->run, nodes * sizeof(*label));
	bool *outermost = cp_run_alloc(r->run, nodes * sizeof(*outermost));
	struct path *paths = find_paths(r, label, n);

	cp_paths_outermost(&r->sums.paths, label, *n, outermost);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->touched[k];
		/* As in the row of the symbol: whose code it is. */
		uint32_t host = cp_paths_host(&r->sums.paths, i);

		if (label[host] != CP_NO_ID)
			mass_add(&paths[label[host]].self, s->self[i],
			    s->self_sq[i]);
		if (label[i] != CP_NO_ID && outermost[i])
			mass_add(&paths[label[i]].children, s->total[i],
			    s->total_sq[i]);
	}
	qsort(paths, *n, sizeof(*paths), compare_paths);
	return paths;
}

static void
path_show(struct report *r, struct cp_table *t, const struct path *p)
{
	char text[1024];
	size_t n = 0;

	for (int i = 0; i < PATH_LENGTH && p->caller[i] != CP_NO_ID; i++) {
		struct cp_word word;
		int more = snprintf(text + n, sizeof(text) - n, "%s%.300s",
		    i == 0 ? "< " : " < ",
		    cp_entity_name(&r->entities.all[p->caller[i]], &word));

		n += more > 0 ? (size_t)more : 0;
	}
	cp_table_row(t);
	cp_table_indent(t, 1);
	cp_part_cell(t, p->self, r->all);
	cp_part_cell(t, p->children, r->all);
	cp_table_text(t, "");
	cp_table_text(t, "");
	cp_table_text(t, text);
}

static void
symbol_show(struct report *r, struct cp_table *t, const struct symbol *s)
{
	const struct cp_entity *e = &r->entities.all[s->entity];
	struct cp_word word;

	cp_table_row(t);
	cp_part_cell(
	    t, (struct cp_mass){ s->sum.self, s->sum.self_sq }, r->all);
	cp_part_cell(
	    t, (struct cp_mass){ s->sum.children, s->sum.children_sq }, r->all);
	cp_table_text(t, cp_word_object(r->run, e->dso));
	cp_table_text(t, cp_word_level(e->level));
	cp_table_text(t, cp_entity_name(e, &word));
}

/*
 * One of twenty samples came this way; if another path is shown, one of four,
 * and enough of all.
 */
static bool
path_matters(const struct path *p, const struct symbol *s, int shown)
{
	uint64_t weight = p->self.weight;

	if (p->caller[0] == CP_NO_ID || weight == 0)
		return false;
	if (shown == 0)
		return weight >= s->sum.self / 20;
	return weight >= s->sum.self / 4 && weight >= p->r->all.weight / 100;
}

static void
show_symbols(struct report *r, struct cp_report *rep)
{
	struct cp_table *t =
	    cp_event_table(&r->events, rep, "symbols", r->event);
	uint32_t n, at = 0;
	const struct path *paths = sum_paths(r, &n);
	uint64_t rest = 0;

	cp_table_column(t, "Self", CP_COL_SHARE);
	cp_table_column(t, "Children", CP_COL_SHARE);
	cp_table_column(t, "Object", CP_COL_TEXT);
	cp_table_column(t, "Level", CP_COL_TEXT);
	cp_table_column(t, "Symbol", CP_COL_TEXT);
	for (uint32_t i = 0; i < r->n_shown; i++) {
		int shown = 0;

		symbol_show(r, t, &r->symbols[i]);
		for (; at < n && paths[at].rank == i; at++)
			if (shown < PATHS &&
			    path_matters(&paths[at], &r->symbols[i], shown)) {
				path_show(r, t, &paths[at]);
				shown++;
			}
	}
	for (uint32_t i = r->n_shown; i < r->n_symbols; i++)
		rest += r->symbols[i].sum.self;
	if (r->n_shown < r->n_symbols)
		cp_table_rest(t, r->n_symbols - r->n_shown, rest);
}

static int
compare_threads(const void *va, const void *vb)
{
	const struct thread *a = va, *b = vb;
	const uint64_t *x = a->r->threads.all[a->group].v;
	const uint64_t *y = a->r->threads.all[b->group].v;
	int c = descending(a->mass.weight, b->mass.weight);

	if (c == 0)
		c = (x[CP_BY_TID] > y[CP_BY_TID]) -
		    (x[CP_BY_TID] < y[CP_BY_TID]);
	return c != 0 ? c : (a->group > b->group) - (a->group < b->group);
}

static struct thread *
sort_threads(struct report *r, size_t *out_n)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->by_thread, &rows);
	struct thread *threads = cp_run_alloc(r->run, n * sizeof(*threads));

	*out_n = 0;
	for (size_t i = 0; i < n; i++)
		if (r->threads.all[rows[i].a].v[CP_BY_EVENT] == r->event)
			threads[(*out_n)++] = (struct thread){ .r = r,
				.group = (uint32_t)rows[i].a,
				.samples = rows[i].count,
				.mass = { rows[i].weight, rows[i].weight_sq } };
	qsort(threads, *out_n, sizeof(*threads), compare_threads);
	return threads;
}

static void
show_threads(struct report *r, struct cp_report *rep)
{
	size_t n, i;
	struct thread *threads = sort_threads(r, &n);
	struct cp_table *t = cp_report_table(rep, "threads", "Threads");
	uint64_t rest = 0;

	cp_table_column(t, "Share", CP_COL_SHARE);
	cp_table_column(t, "Samples", CP_COL_COUNT);
	cp_by_columns(t, CP_BY_COMM);
	cp_by_columns(t, CP_BY_PID);
	cp_by_columns(t, CP_BY_TID);
	for (i = 0; i < n && i < THREADS; i++) {
		cp_table_row(t);
		cp_part_cell(t, threads[i].mass, r->all);
		cp_table_u64(t, threads[i].samples);
		cp_by_cell(&r->threads, t, CP_BY_COMM, threads[i].group);
		cp_by_cell(&r->threads, t, CP_BY_PID, threads[i].group);
		cp_by_cell(&r->threads, t, CP_BY_TID, threads[i].group);
	}
	for (; i < n; i++)
		rest += threads[i].mass.weight;
	if (n > THREADS)
		cp_table_rest(t, n - THREADS, rest);
}

static void
note_cpus(struct report *r, struct cp_report *rep)
{
	const struct cp_tally_row *rows, *most = NULL, *least = NULL;
	size_t n = cp_tally_rows(r->by_cpu, &rows), cpus = 0;
	double all = (double)r->all.weight;
	struct cp_word a, b;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].a != r->event || rows[i].b == CP_NO_ID)
			continue;
		cpus++;
		if (most == NULL || rows[i].weight > most->weight ||
		    (rows[i].weight == most->weight && rows[i].b < most->b))
			most = &rows[i];
		if (least == NULL || rows[i].weight < least->weight ||
		    (rows[i].weight == least->weight && rows[i].b < least->b))
			least = &rows[i];
	}
	if (cpus < 2)
		return;
	cp_report_note(rep,
	    "%zu CPUs have samples: CPU %" PRIu64 " the most, %s, CPU %" PRIu64
	    " the least, %s",
	    cpus, most->b, cp_word_percent(&a, (double)most->weight, all),
	    least->b, cp_word_percent(&b, (double)least->weight, all));
}

/* A line for each event, where there are several. */
static bool
show_events(struct report *r, struct cp_report *rep)
{
	uint32_t n = cp_run_evsel_count(r->run), with = 0;
	struct cp_table *t;

	for (uint32_t i = 0; i < n; i++)
		with += cp_event_counts(r->run, i) &&
			cp_groups_total(&r->events, i).samples != 0;
	if (with < 2)
		return false;
	t = cp_report_table(rep, "events", "Events");
	cp_table_column(t, "Samples", CP_COL_COUNT);
	cp_table_column(t, "Weight", CP_COL_WEIGHT);
	cp_table_column(t, "Event", CP_COL_TEXT);
	for (uint32_t i = 0; i < n; i++) {
		struct cp_total total = cp_groups_total(&r->events, i);

		if (!cp_event_counts(r->run, i))
			continue;
		cp_table_row(t);
		cp_table_u64(t, total.samples);
		cp_table_u64(t, total.weight);
		cp_table_text(t, cp_event_name(r->run, i));
	}
	return true;
}

/* Says so where the account of what has no name does not. */
static void
note_names(const struct cp_named *n, struct cp_report *rep)
{
	if (n->trust[CP_TRUST_VERIFIED] == n->samples)
		cp_report_note(rep,
		    "all samples have a symbol from a file whose build ID was "
		    "verified");
}

/* Few samples that carry most of the weight say little of the rest. */
static void
note_effective(struct report *r, struct cp_report *rep)
{
	uint64_t samples = cp_groups_total(&r->events, r->event).samples;
	double n = cp_effective(r->all);
	struct cp_word word;

	if (samples < 5 || n > 20 || n > (double)samples / 2)
		return;
	cp_report_note(rep,
	    "few heavy samples carry most of the weight: the %s samples tell "
	    "as much as %.1f of equal weight would (--weight samples counts "
	    "them alike)",
	    cp_word_count(&word, samples), n);
}

/* What the filters took is in the account. */
static void
note_no_samples(struct cp_run *run, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(run);
	struct cp_word word;

	if (q->samples == 0)
		cp_report_note(rep,
		    "the capture holds no samples (records of other kinds: "
		    "%s)",
		    cp_word_count(&word, q->records));
	else if (q->samples_kept != 0)
		cp_report_note(rep, "all samples are of a dummy event");
}

static void
show_main_event(struct report *r, const struct cp_tally_row *rows, size_t n,
    struct cp_report *rep)
{
	bool several;

	r->all = cp_groups_mass(&r->events, r->event);
	sum_stacks(r);
	sort_symbols(r);
	several = show_events(r, rep);
	show_symbols(r, rep);
	cp_downwards_show(&r->sums, r->all, rep);
	show_threads(r, rep);
	cp_load_show(&r->load, rep);
	cp_unnamed_show(r->run, rows, n, rep);
	cp_cpi_brief_show(r->cpi, rep);
	if (several)
		cp_report_note(rep,
		    "symbols, functions and threads are of %.200s; choose "
		    "another event with --event",
		    cp_event_name(r->run, r->event));
}

static int
report_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct report *r = state;
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(r->stacks, &rows);
	struct cp_named named;

	r->event = cp_groups_main_event(&r->events);
	if (r->event != CP_NO_ID) {
		show_main_event(r, rows, n, rep);
		note_effective(r, rep);
		cp_load_note(&r->load, rep);
		note_cpus(r, rep);
	} else {
		note_no_samples(run, rep);
		cp_rows_name(run, rows, n);
	}
	cp_sched_brief_show(r->sched, rep);
	cp_offcpu_brief_show(r->offcpu, rep);
	named = cp_named_count(run, rows, n);
	if (named.samples != 0)
		note_names(&named, rep);
	cp_account_notes(run, &named, rep);
	return CP_OK;
}

static const struct cp_option report_options[] = {
	{ "top", "N", "10", "show the N heaviest symbols, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(report) = {
	.abi = CP_ABI,
	.name = "report",
	.summary = "the overview: what is hot, who calls it, how far to "
		   "trust it",
	.wants = WANTS,
	.options = report_options,
	.state_size = sizeof(struct report),
	.begin = report_begin,
	.sample = report_sample,
	.event = report_event,
	.finish = report_finish,
};
