/* SPDX-License-Identifier: MIT */
/*
 * branches: what branch stacks show: which branches are hot, which were
 * mispredicted, and how many cycles passed before them.
 *
 * Counts every entry of every stack as a branch that was taken once, as perf
 * does.  The entries of one stack are consecutive branches, so a stack is a
 * single observation when intervals are made.  Call stacks made of LBR
 * (--call-graph lbr) are not branches that were taken and are left out.
 */
#include <coldperf/plugin.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/code-groups.h"
#include "analyses/common/event.h"
#include "analyses/common/ratio.h"
#include "analyses/common/record-hint.h"
#include "analyses/common/label.h"

enum { BRANCH_CALL_STACK = 1 << 11, TYPES = 16 };

struct edge {
	cp_frame_id from, to; /* of the first occurrence */
	uint64_t count, known, missed, timed, cycles;
	double cycles_sq;
	uint8_t type;
};

struct branches {
	struct cp_run *run;
	uint64_t top;
	bool by_symbol;
	struct cp_tally *all;   /* from | type << 32, to: 1 each */
	struct cp_tally *known; /* from, to: 1 if mispredicted */
	struct cp_tally *timed; /* from, to: cycles */
	uint64_t stacks, entries, call_stacks;
	uint64_t in_tx, aborted;
	bool recorded; /* some event has branch stacks */
	uint32_t reading;

	/* Used in finish() only. */
	struct cp_index index; /* from, to */
	struct edge *edges;    /* by number */
	uint32_t n, cap;
	struct cp_entities entities;
	struct edge whole;
	/* mean number of entries of a stack; these are correlated */
	double same;
};

static int
branches_begin(struct cp_run *run, void *state)
{
	struct branches *b = state;
	const char *by = cp_run_option(run, "by");

	b->run = run;
	b->top = cp_run_option_u64(run, "top");
	b->by_symbol = strcmp(by, "symbol") == 0;
	if (!b->by_symbol && strcmp(by, "address") != 0) {
		cp_run_diag(run, CP_D_USAGE,
		    "--by wants address or symbol, not '%.40s'", by);
		return CP_FAIL;
	}
	b->all = cp_tally_new(run);
	b->known = cp_tally_new(run);
	b->timed = cp_tally_new(run);
	return CP_OK;
}

static void
count_entry(struct branches *b, const struct cp_sample *s, struct cp_branch e)
{
	cp_frame_id from = cp_sample_frame(b->run, s, e.from, CP_LEVEL_UNKNOWN);
	cp_frame_id to = cp_sample_frame(b->run, s, e.to, CP_LEVEL_UNKNOWN);

	b->entries++;
	b->in_tx += e.in_tx;
	b->aborted += e.abort;
	cp_tally_add(b->all, from | (uint64_t)e.type << 32, to, 1);
	if (e.mispredicted || e.predicted)
		cp_tally_add(b->known, from, to, e.mispredicted);
	if (e.cycles != 0)
		cp_tally_add(b->timed, from, to, e.cycles);
}

static int
branches_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct branches *b = state;

	if (s->branches == 0 || cp_event_again(&b->reading, s))
		return CP_OK;
	if (cp_run_evsel(run, s->evsel)->branch_type & BRANCH_CALL_STACK) {
		b->call_stacks++;
		return CP_OK;
	}
	b->stacks++;
	for (uint32_t i = 0; i < s->branches; i++)
		count_entry(b, s, cp_sample_branch(run, s, i));
	return CP_OK;
}

/* ------------------------------------------------------------------- edges */

static struct edge *
edge_of(struct branches *b, cp_frame_id from, cp_frame_id to)
{
	uint64_t x = from, y = to;
	uint32_t i;

	if (b->by_symbol) {
		x = cp_entities_of(&b->entities, from);
		y = cp_entities_of(&b->entities, to);
	}
	i = cp_index_put(&b->index, x, y);
	cp_grow_to(b->run, b->edges, &b->cap, i);
	if (i == b->n) {
		b->n++;
		b->edges[i] = (struct edge){ .from = from, .to = to };
	}
	return &b->edges[i];
}

static void
add_all(struct branches *b)
{
	const struct cp_tally_row *r;
	size_t n = cp_tally_rows(b->all, &r);

	for (size_t i = 0; i < n; i++) {
		struct edge *e =
		    edge_of(b, (cp_frame_id)r[i].a, (cp_frame_id)r[i].b);
		uint8_t type = (uint8_t)(r[i].a >> 32);

		/* A row that combines several types shows none. */
		e->type = e->count == 0 || e->type == type ? type : 0;
		e->count += r[i].count;
		b->whole.count += r[i].count;
	}
	n = cp_tally_rows(b->known, &r);
	for (size_t i = 0; i < n; i++) {
		struct edge *e =
		    edge_of(b, (cp_frame_id)r[i].a, (cp_frame_id)r[i].b);

		e->known += r[i].count;
		e->missed += r[i].weight;
		b->whole.known += r[i].count;
		b->whole.missed += r[i].weight;
	}
	n = cp_tally_rows(b->timed, &r);
	for (size_t i = 0; i < n; i++) {
		struct edge *e =
		    edge_of(b, (cp_frame_id)r[i].a, (cp_frame_id)r[i].b);

		e->timed += r[i].count;
		e->cycles += r[i].weight;
		e->cycles_sq += r[i].weight_sq;
		b->whole.timed += r[i].count;
		b->whole.cycles += r[i].weight;
		b->whole.cycles_sq += r[i].weight_sq;
	}
}

static void
name_all(struct branches *b)
{
	const struct cp_tally_row *r;
	size_t n = cp_tally_rows(b->all, &r);
	cp_frame_id *frames = cp_run_alloc(b->run, (2 * n + 1) * 4);
	uint32_t above = 1;

	for (size_t i = 0; i < n; i++) {
		frames[2 * i] = (cp_frame_id)r[i].a;
		frames[2 * i + 1] = (cp_frame_id)r[i].b;
	}
	for (size_t i = 0; i < 2 * n; i++)
		if (frames[i] >= above)
			above = frames[i] + 1;
	cp_run_name_frames(b->run, frames, 2 * n);
	cp_entities_init(&b->entities, b->run, above, true, true);
}

/* ------------------------------------------------------------------ values */

/* Returns the mean of a value over the n of a row that have it. */
static struct cp_ratio
mean_of(const struct branches *b, uint64_t n, double sum, double sum_sq)
{
	double mean = sum / (double)n;
	double spread = sum_sq - sum * mean;
	struct cp_ratio none = { 0, 1, 0 };

	none.value = n != 0 ? mean : NAN;
	if (n == 0 || (double)n < CP_RATIO_LEAST * b->same || sum <= 0)
		return none;
	return cp_ratio_around(mean,
	    spread > 0 ? sqrt(spread * b->same) / sum : 0, (double)n / b->same);
}

static struct cp_cell
share_cell(const struct branches *b, uint64_t part, uint64_t all)
{
	return all == 0 ? cp_cell_number((double)NAN)
			: cp_count_cell(part, cp_counted(all, b->same));
}

static const char *
type_word(uint8_t type)
{
	static const char *const words[TYPES] = { "-", "conditional", "jump",
		"indirect", "call", "indirect call", "return", "syscall",
		"sysret", "conditional call", "conditional return", "eret",
		"irq", "serror", "no transaction", "other" };

	return words[type % TYPES];
}

/* Writes "main+0x12", or the address without a symbol; --by symbol: its row. */
static void
place_cell(struct branches *b, struct cp_table *t, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(b->run, id);
	const struct cp_frame *f = cp_frame_get(b->run, id);
	const char *name = sym != NULL ? sym->name : "";
	struct cp_word word;
	size_t size;
	char *text;

	if (b->by_symbol)
		name = cp_entity_name(
		    &b->entities.all[cp_entities_of(&b->entities, id)], &word);
	size = strlen(name) + 40;
	text = cp_run_alloc(b->run, size);
	if (b->by_symbol)
		snprintf(text, size, "%s", name);
	else if (sym == NULL)
		snprintf(text, size, "%s", cp_word_address(&word, f->addr));
	else if (f->addr == sym->start)
		snprintf(text, size, "%s", name);
	else
		snprintf(
		    text, size, "%s+0x%" PRIx64, name, f->addr - sym->start);
	cp_table_cells(t, text, cp_word_object(b->run, f->dso));
}

/* ------------------------------------------------------------------ tables */

struct order {
	const struct branches *b;
	const struct edge *edge;
	uint64_t rank;
};

static int
compare_frames(const struct branches *b, cp_frame_id x, cp_frame_id y)
{
	const struct cp_frame *f = cp_frame_get(b->run, x);
	const struct cp_frame *g = cp_frame_get(b->run, y);
	int c =
	    strcmp(cp_word_path(b->run, f->dso), cp_word_path(b->run, g->dso));

	if (c == 0)
		c = (f->addr > g->addr) - (f->addr < g->addr);
	return c;
}

static int
compare_orders(const void *vx, const void *vy)
{
	const struct order *x = vx, *y = vy;
	int c = (x->rank < y->rank) - (x->rank > y->rank);

	if (c == 0)
		c = (x->edge->count < y->edge->count) -
		    (x->edge->count > y->edge->count);
	if (c == 0)
		c = compare_frames(x->b, x->edge->from, y->edge->from);
	if (c == 0)
		c = compare_frames(x->b, x->edge->to, y->edge->to);
	return c != 0 ? c : (x->edge > y->edge) - (x->edge < y->edge);
}

static void
edge_show(struct branches *b, struct cp_table *t, const struct edge *e)
{
	struct cp_ratio cycles =
	    mean_of(b, e->timed, (double)e->cycles, e->cycles_sq);

	cp_table_add(t, share_cell(b, e->count, b->whole.count), e->count,
	    share_cell(b, e->missed, e->known), cp_ratio_cell(cycles),
	    type_word(e->type));
	place_cell(b, t, e->from);
	place_cell(b, t, e->to);
}

/* missed: sorts by mispredictions; else by frequency. */
static void
edges_show(struct branches *b, struct cp_report *rep, bool missed)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Taken"), CP_SHARE("Mispredicted"),
		CP_RATE("Cycles before"), CP_TEXT("Kind"), CP_TEXT("From"),
		CP_TEXT("Object"), CP_TEXT("To"), CP_TEXT("Its object") };
	struct order *o = cp_run_alloc(b->run, (b->n + 1) * sizeof(*o));
	struct cp_table *t = cp_report_table(rep,
	    missed ? "mispredicted" : "edges",
	    missed ? "Most mispredicted" : "Hot branches", CP_COLUMNS(columns));
	uint64_t rest = 0;
	uint32_t n = 0, i;

	for (i = 0; i < b->n; i++)
		if (!missed || b->edges[i].missed != 0)
			o[n++] = (struct order){ b, &b->edges[i],
				missed ? b->edges[i].missed
				       : b->edges[i].count };
	qsort(o, n, sizeof(*o), compare_orders);
	for (i = 0; i < n && (b->top == 0 || i < b->top); i++)
		edge_show(b, t, o[i].edge);
	for (uint32_t k = i; k < n; k++)
		rest += o[k].edge->count;
	if (i < n)
		cp_table_rest(t, n - i, rest);
}

static void
types_show(struct branches *b, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Taken"), CP_TEXT("Kind") };
	const struct cp_tally_row *r;
	size_t n = cp_tally_rows(b->all, &r);
	uint64_t count[TYPES] = { 0 };
	struct cp_table *t;

	for (size_t i = 0; i < n; i++)
		count[(r[i].a >> 32) % TYPES] += r[i].count;
	if (count[0] == b->whole.count)
		return;
	t = cp_report_table(
	    rep, "kinds", "Kinds of branches", CP_COLUMNS(columns));
	for (unsigned i = 0; i < TYPES; i++) {
		if (count[i] == 0)
			continue;
		cp_table_add(t, share_cell(b, count[i], b->whole.count),
		    count[i], i == 0 ? "unknown" : type_word((uint8_t)i));
	}
}

static void
whole_show(struct branches *b, struct cp_report *rep)
{
	const struct edge *w = &b->whole;
	struct cp_ratio cycles =
	    mean_of(b, w->timed, (double)w->cycles, w->cycles_sq);
	double missed = cp_share((double)w->missed, (double)w->known), lo, hi;

	cp_report_scalar(rep, "branches", "stacks", CP_COL_COUNT, b->stacks);
	cp_report_scalar(rep, "branches", "taken", CP_COL_COUNT, w->count);
	cp_interval((struct cp_mass){ w->missed, (double)w->missed },
	    cp_counted(w->known, b->same), &lo, &hi);
	if (w->known != 0)
		cp_report_scalar_value(rep, "branches", "mispredicted",
		    CP_COL_SHARE, missed, lo, hi);
	if (w->timed != 0)
		cp_report_scalar_value(rep, "branches", "cycles before",
		    CP_COL_RATE, cycles.value, cycles.lo, cycles.hi);
	if (b->in_tx != 0)
		cp_report_scalar(
		    rep, "branches", "in transactions", CP_COL_COUNT, b->in_tx);
	if (b->aborted != 0)
		cp_report_scalar(
		    rep, "branches", "aborts", CP_COL_COUNT, b->aborted);
}

static void
notes_show(const struct branches *b, struct cp_report *rep)
{
	struct cp_word a;

	if (b->call_stacks != 0)
		cp_report_note(rep,
		    "the branch stacks of %s sample%s are call stacks "
		    "(--call-graph lbr), no branches that were taken",
		    cp_word_count(&a, b->call_stacks),
		    cp_word_s(b->call_stacks));
	if (b->stacks == 0) {
		if (b->recorded)
			cp_report_note(rep,
			    "the samples that the filters leave have no "
			    "branches");
		else
			cp_recipe_note(
			    rep, "branch stacks", CP_ADVICE_branches);
		return;
	}
	if (b->whole.known == 0)
		cp_report_note(rep, "mispredictions were not recorded");
	if (b->whole.timed == 0)
		cp_report_note(rep,
		    "cycles between branches were not recorded; perf "
		    "record -b records them if the processor supports it");
	cp_report_note(rep,
	    "intervals count the %.1f branches of a stack as one observation, "
	    "because they follow one another",
	    b->same);
}

static int
branches_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct branches *b = state;

	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		uint64_t type = cp_run_evsel(run, i)->branch_type;

		b->recorded |= type != 0 && !(type & BRANCH_CALL_STACK);
	}
	b->same = b->stacks != 0 ? (double)b->entries / (double)b->stacks : 1;
	cp_index_init(&b->index, run);
	name_all(b);
	add_all(b);
	if (b->stacks != 0)
		whole_show(b, rep);
	edges_show(b, rep, false);
	if (b->whole.missed != 0)
		edges_show(b, rep, true);
	types_show(b, rep);
	notes_show(b, rep);
	return CP_OK;
}

static const struct cp_option branches_options[] = {
	{ "by", "WHAT", "address",
	    "tell branches apart by address, or by symbol" },
	{ "top", "N", "20", "show the N most frequent, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(branches) = {
	.abi = CP_ABI,
	.name = "branches",
	.summary = "hot branches, mispredictions, cycles between (LBR)",
	.wants = CP_WANT_SAMPLES | CP_WANT_NAMES | CP_WANT_RAW,
	.options = branches_options,
	.state_size = sizeof(struct branches),
	.begin = branches_begin,
	.sample = branches_sample,
	.finish = branches_finish,
};
