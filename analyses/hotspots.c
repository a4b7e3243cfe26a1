/* SPDX-License-Identifier: MIT */
/*
 * hotspots: where the samples fell, as `perf report` counts them.
 *
 * Self is the weight of the samples whose innermost frame has a row's keys;
 * inlined functions are frames of their own, which perf report adds to the
 * function that has their code (as --inline=no).
 * Children (--children) is the weight of the samples whose chain contains the
 * keys anywhere, once per sample, so recursion does not count twice. One table
 * per event: weights of different events are different units. Needs call chains
 * only for --children, --callers and --callees.
 */
#include <coldperf/plugin.h>

#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/call-sums.h"
#include "analyses/common/code-groups.h"
#include "analyses/code/families.h"
#include "analyses/common/event.h"
#include "analyses/common/label.h"
#include "analyses/common/options.h"
#include "analyses/common/sample-groups.h"
#include "analyses/hotspots/callers.h"
#include "analyses/precision/apart.h"
#include "analyses/precision/rows.h"
#include "analyses/precision/typical.h"
#include "analyses/tasks/pools.h"

/* the least share without a name that is worth a note */
#define NAMELESS 0.05

struct hotspots {
	struct cp_run *run;
	struct cp_by by;
	bool children;
	bool stacks; /* call chains are needed */
	uint64_t top;
	double min_share;
	struct cp_groups groups;
	struct cp_tally *tally; /* group, stack */
	struct cp_precision precision;

	/* Used in finish() only. */
	struct cp_paths paths;
	struct cp_entities entities;
	struct cp_sums sums;
	/* intervals by event; NULL: not made yet */
	struct cp_rows_precision **sure;
	struct cp_apart apart; /* of the current table */
	struct cp_event_shares nameless;
	struct row *rows;
	size_t n, cap;
};

struct row {
	const struct hotspots *hs;
	uint64_t self, children, samples;
	double self_sq, children_sq;
	uint32_t depth; /* depth of the outermost place where it occurs */
	uint32_t group, entity;
	uint32_t addresses; /* as in the sum */
	uint64_t addr;
};

static int
hotspots_begin(struct cp_run *run, void *state)
{
	struct hotspots *hs = state;

	hs->run = run;
	if (cp_by_parse(&hs->by, run) != CP_OK ||
	    cp_precision_init(&hs->precision, run) != CP_OK)
		return CP_FAIL;
	hs->children = cp_run_option_bool(run, "children");
	hs->top = cp_run_option_u64(run, "top");
	hs->min_share = cp_run_option_double(run, "min-share") / 100;
	if (!cp_option_within(run, "min-share", 100 * hs->min_share, 0, 100))
		return CP_FAIL;
	cp_groups_init(&hs->groups, run, hs->by.groups, hs->by.width);
	memcpy(hs->groups.field, hs->by.field, sizeof(hs->by.field));
	hs->tally = cp_tally_new(run);
	hs->stacks = hs->children || cp_run_option(run, "callers") != NULL ||
		     cp_run_option(run, "callees") != NULL;
	if (!hs->stacks || hs->by.fields != 0)
		cp_run_wants(run, CP_WANT_SAMPLES | CP_WANT_NAMES |
				      CP_WANT_SPOTS |
				      (hs->stacks ? CP_WANT_STACKS : 0) |
				      (hs->by.fields != 0 ? CP_WANT_RAW : 0));
	return CP_OK;
}

static int
hotspots_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct hotspots *hs = state;
	struct cp_sample apart;
	uint32_t group;

	if (hs->by.mixed) {
		apart = *s;
		apart.event = s->evsel;
		s = &apart;
	}
	group = cp_groups_of(&hs->groups, s);
	cp_tally_add(hs->tally, group, s->stack, s->weight);
	cp_precision_add(&hs->precision, s, group);
	return CP_OK;
}

static int
compare_key(const struct hotspots *hs, unsigned key, const struct row *a,
    const struct row *b)
{
	const struct cp_entity *ea = &hs->entities.all[a->entity];
	const struct cp_entity *eb = &hs->entities.all[b->entity];
	uint64_t va, vb;

	if (key == CP_BY_SYMBOL)
		return cp_entity_compare_symbol(ea, eb);
	if (key == CP_BY_DSO)
		return cp_entity_compare_dso(hs->run, ea, eb);
	if (key >= CP_BY_LINE)
		return strcmp(cp_run_string(hs->run, ea->line),
		    cp_run_string(hs->run, eb->line));
	va = hs->groups.all[a->group].v[key];
	vb = hs->groups.all[b->group].v[key];
	if (key == CP_BY_COMM)
		return strcmp(cp_run_string(hs->run, (cp_string_id)va),
		    cp_run_string(hs->run, (cp_string_id)vb));
	return (va > vb) - (va < vb);
}

static double
row_share(const struct row *r, uint64_t weight)
{
	const struct cp_groups *g = &r->hs->groups;
	uint32_t event = (uint32_t)g->all[r->group].v[CP_BY_EVENT];

	return cp_share(
	    (double)weight, (double)cp_groups_total(g, event).weight);
}

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

/*
 * Sorts heaviest first, callers before callees, then by the text of the keys.
 */
static int
compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	const struct hotspots *hs = a->hs;
	int c = 0;

	if (hs->by.mixed) {
		double sa = row_share(a, hs->children ? a->children : a->self);
		double sb = row_share(b, hs->children ? b->children : b->self);

		c = (sa < sb) - (sa > sb);
	}
	if (c == 0 && hs->children)
		c = descending(a->children, b->children);
	if (c == 0 && hs->children)
		c = descending(b->depth, a->depth);
	if (c == 0)
		c = descending(a->self, b->self);
	for (unsigned i = 0; c == 0 && i < hs->by.n; i++)
		c = compare_key(hs, hs->by.key[i], a, b);
	if (c == 0)
		c = descending(b->group, a->group);
	return c != 0 ? c : descending(b->entity, a->entity);
}

/* Makes room for n more rows at once: often all are of one group. */
static void
rows_reserve(struct hotspots *hs, size_t n)
{
	struct row *rows;

	if (n <= hs->cap - hs->n)
		return;
	hs->cap = hs->n + n > 2 * hs->cap ? hs->n + n : 2 * hs->cap;
	rows = cp_run_alloc(hs->run, hs->cap * sizeof(*rows));
	if (hs->n != 0)
		memcpy(rows, hs->rows, hs->n * sizeof(*rows));
	hs->rows = rows;
}

static void
row_add(struct hotspots *hs, uint32_t group, uint32_t entity)
{
	const struct cp_sum *sum = &hs->sums.sum[entity];

	hs->rows[hs->n++] = (struct row){ .hs = hs,
		.self = sum->self,
		.children = sum->children,
		.samples = sum->samples,
		.self_sq = sum->self_sq,
		.children_sq = sum->children_sq,
		.depth = sum->depth,
		.group = group,
		.entity = entity,
		.addresses = sum->addresses,
		.addr = sum->addr };
}

static void
sum_group(struct hotspots *hs, const struct cp_grouped *rows, uint32_t group)
{
	for (size_t i = rows->first[group]; i < rows->first[group + 1]; i++)
		cp_sums_add(&hs->sums, &rows->rows[rows->order[i]]);
	cp_sums_finish(&hs->sums);
	rows_reserve(hs, hs->sums.n);
	for (uint32_t i = 0; i < hs->sums.n; i++)
		row_add(hs, group, hs->sums.touched[i]);
	cp_sums_clear(&hs->sums);
}

static void
cell(struct hotspots *hs, struct cp_table *t, unsigned key, const struct row *r)
{
	const struct cp_entity *e = &hs->entities.all[r->entity];
	struct cp_word word;

	if (key == CP_BY_SYMBOL) {
		cp_table_cells(t, cp_word_level(e->level),
		    cp_sum_name(e,
			&(struct cp_sum){ .self = r->self,
			    .children = r->children,
			    .addresses = r->addresses,
			    .addr = r->addr },
			&word));
	} else if (key == CP_BY_DSO) {
		cp_table_cells(t, cp_word_object(hs->run, e->dso));
	} else if (key >= CP_BY_LINE) {
		cp_table_cells(t, e->line != 0 ? cp_run_string(hs->run, e->line)
					       : "[unknown]");
	} else {
		if (key == CP_BY_CGROUP)
			cp_table_cells(t, cp_cgroup_label(hs->run,
					      hs->groups.all[r->group].v[key]));
		cp_table_cells(t, cp_by_cell(&hs->groups, key, r->group));
	}
}

/* Returns the whole of the row's share, with the dispersion of the row. */
static struct cp_whole
whole_of(struct hotspots *hs, const struct row *r, bool children)
{
	uint32_t event = (uint32_t)hs->groups.all[r->group].v[CP_BY_EVENT];

	if (hs->sure[event] == NULL) {
		hs->sure[event] =
		    cp_run_alloc(hs->run, sizeof(*hs->sure[event]));
		cp_rows_precision_init(hs->sure[event],
		    cp_precision_view(&hs->precision, event), &hs->sums);
	}
	return cp_rows_precision_whole(hs->sure[event],
	    cp_groups_whole(&hs->groups, event), r->group, r->entity, children);
}

static void
row_show(struct hotspots *hs, struct cp_table *t, const struct row *r)
{
	struct cp_mass self = { r->self, r->self_sq };
	struct cp_whole whole;

	cp_table_row(t);
	if (hs->children)
		cp_table_cells(t, cp_cell_share((struct cp_mass){ r->children,
						    r->children_sq },
				      whole_of(hs, r, true)));
	whole = whole_of(hs, r, false);
	cp_table_cells(t, cp_cell_share(self, whole));
	cp_apart_row(&hs->apart, self, whole);
	cp_table_cells(t, r->samples);
	for (unsigned i = 0; i < hs->by.n; i++)
		cell(hs, t, hs->by.key[i], r);
}

static struct cp_table *
table_new(struct hotspots *hs, struct cp_report *rep, uint32_t event)
{
	struct cp_table *t = cp_event_table(
	    &hs->groups, rep, "hotspots", hs->by.mixed ? CP_NO_ID : event);

	if (hs->children)
		cp_table_column(t, CP_SHARE("Children"));
	cp_table_columns(t, CP_COLUMNS(((const struct cp_column_spec[]){
				CP_SHARE(hs->children ? "Self" : "Share"),
				CP_COUNT("Samples") })));
	for (unsigned i = 0; i < hs->by.n; i++)
		cp_by_columns(&hs->by, t, hs->by.key[i]);
	return t;
}

/* Counts the weight of rows without a name. */
static void
count_nameless(struct hotspots *hs, uint32_t event)
{
	uint64_t weight = 0, all = cp_groups_total(&hs->groups, event).weight;

	for (size_t i = 0; i < hs->n; i++)
		if (cp_entity_nameless(&hs->entities.all[hs->rows[i].entity]))
			weight += hs->rows[i].self;
	if (hs->by.symbol && !hs->entities.each_address &&
	    (double)weight >= NAMELESS * (double)all)
		cp_event_shares_add(&hs->nameless, hs->run, event, weight, all);
}

/* Notes how code without names is shown, and how to name it. */
static void
note_nameless(const struct hotspots *hs, struct cp_report *rep)
{
	if (hs->nameless.text[0] != '\0')
		cp_report_note(rep,
		    "%s fell in code without a name, shown as object+address "
		    "or as its object: --by dso lists the objects, coldperf "
		    "symbols the files that would name it",
		    hs->nameless.text);
}

/* Says what the rows of inlined functions are. */
static void
note_inlined(const struct hotspots *hs, struct cp_report *rep)
{
	for (uint32_t i = 1; i < hs->paths.n; i++)
		if ((cp_frame_get(hs->run, hs->paths.frame[i])->flags &
			CP_FRAME_INLINED) != 0) {
			cp_report_note(rep,
			    "inlined functions have rows of their own; "
			    "--inline=no adds them to the function that has "
			    "their code, as perf report does");
			return;
		}
}

/* An interval of Children does not cover a caller that was not recorded. */
static void
note_lost(const struct hotspots *hs, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(hs->run);
	uint64_t lost = q->lost_callers - q->inferred_callers;

	if (hs->children && lost != 0)
		cp_report_note(rep,
		    "in %.3g %% of the samples a caller was not recorded: the "
		    "Children of a function can be larger by what it called "
		    "there, whatever the interval says",
		    100 * (double)lost / (double)q->samples);
}

/* Shows the rows collected so far as a table, and forgets them. */
static void
rows_show(struct hotspots *hs, struct cp_report *rep, uint32_t event)
{
	struct cp_table *t = table_new(hs, rep, event);
	uint64_t left_out = 0, weight = 0;

	hs->apart.n = 0;
	qsort(hs->rows, hs->n, sizeof(*hs->rows), compare_rows);
	for (size_t i = 0; i < hs->n; i++) {
		const struct row *r = &hs->rows[i];
		uint64_t w = hs->children ? r->children : r->self;

		if ((hs->top == 0 || i < hs->top) &&
		    row_share(r, w) >= hs->min_share) {
			row_show(hs, t, r);
		} else {
			left_out++;
			weight += r->self;
		}
	}
	/* Weights of several events cannot be added up. */
	if (left_out != 0)
		cp_table_rest(t, left_out, hs->by.mixed ? 0 : weight);
	if (left_out != 0 && !hs->by.mixed)
		cp_table_whole(
		    t, cp_groups_whole(&hs->groups, event).mass.weight);
	if (!hs->by.mixed)
		count_nameless(hs, event);
	/*
	 * With --children rows share samples, and slices of time must not be
	 * compared.
	 */
	if (!hs->children && !hs->by.mixed &&
	    (hs->by.groups & 1u << CP_BY_TIME) == 0)
		cp_apart_note(&hs->apart, hs->run, event, rep);
	hs->n = 0;
}

/* Shows who calls the symbols asked for, and whom they call. */
static int
calls_show(
    struct hotspots *hs, const struct cp_grouped *rows, struct cp_report *rep)
{
	if (cp_run_option(hs->run, "callers") == NULL &&
	    cp_run_option(hs->run, "callees") == NULL)
		return CP_OK;
	return cp_callers_show(hs->run, &hs->groups, &hs->paths, rows, rep,
	    hs->top, cp_precision_typical_all(&hs->precision));
}

static int
hotspots_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct hotspots *hs = state;
	struct cp_grouped rows;
	uint32_t event = CP_NO_ID;
	const uint32_t *order;

	for (unsigned i = 0; i < hs->by.fields && hs->groups.n != 0; i++)
		if (cp_field_key_check(run, hs->by.field[i]) != CP_OK)
			return CP_FAIL;
	if (!cp_run_option_bool(run, "split-threads"))
		cp_pools_merge(&hs->groups);
	hs->precision.alias = hs->groups.alias;
	rows = cp_groups_sort(&hs->groups, hs->tally);
	cp_groups_count(&hs->groups, hs->tally);
	order = cp_groups_by_event(&hs->groups);
	cp_rows_name(run, rows.rows, rows.n);
	cp_paths_build_inlined(&hs->paths, run, rows.rows, rows.n, NULL, NULL);
	cp_entities_init(
	    &hs->entities, run, hs->paths.frames, hs->by.symbol, hs->by.dso);
	hs->entities.by_line = hs->by.line;
	hs->entities.by_file = hs->by.srcfile;
	hs->entities.family = hs->by.family ? cp_code_family : NULL;
	hs->entities.each_address = cp_run_option_bool(run, "addresses");
	hs->entities.unnamed_as_one = !hs->entities.each_address;
	cp_sums_init(
	    &hs->sums, run, &hs->entities, rows.rows, rows.n, hs->children);
	hs->sure =
	    cp_run_alloc(run, cp_run_evsel_count(run) * sizeof(*hs->sure));
	for (uint32_t i = 0; i < hs->groups.n; i++) {
		const struct cp_group *g = &hs->groups.all[order[i]];
		uint32_t of = (uint32_t)g->v[CP_BY_EVENT];

		if (of != event && hs->n != 0 && !hs->by.mixed)
			rows_show(hs, rep, event);
		event = of;
		if (cp_event_counts(run, event))
			sum_group(hs, &rows, order[i]);
	}
	if (hs->n != 0)
		rows_show(hs, rep, event);
	else if (hs->groups.n == 0)
		cp_report_note(rep, "no samples");
	note_nameless(hs, rep);
	if (hs->by.symbol)
		note_inlined(hs, rep);
	note_lost(hs, rep);
	if (calls_show(hs, &rows, rep) != CP_OK)
		return CP_FAIL;
	cp_precision_note(&hs->precision, rep);
	return CP_OK;
}

static const struct cp_option hotspots_options[] = {
	{ "by", "KEYS", "comm,dso,symbol",
	    "group by KEYS: symbol, dso, line, srcfile, family, comm, pid, "
	    "tid, cpu, core, socket, node, event, cgroup, level, addr, "
	    "parallelism, field:NAME, arg:N, time:WIDTH" },
	{ "children", NULL, NULL,
	    "also count what a row's callees used, and sort by it" },
	{ "callers", "SYMBOL", NULL, "who calls SYMBOL, and how heavily" },
	{ "callees", "SYMBOL", NULL, "whom SYMBOL calls, and how heavily" },
	{ "addresses", NULL, NULL,
	    "a row for each address without a name, not for its function" },
	{ "split-threads", NULL, NULL,
	    "threads of a pool (worker/0, worker/1 ...) each by itself" },
	{ "top", "N", "40", "show the N heaviest rows, 0: all" },
	CP_PRECISION_OPTION,
	{ "min-share", "PERCENT", "0", "leave out rows below PERCENT" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(hotspots) = {
	.abi = CP_ABI,
	.name = "hotspots",
	.summary = "the heaviest symbols, objects, threads ...",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
		 CP_WANT_SPOTS | CP_WANT_MERGED,
	.options = hotspots_options,
	.state_size = sizeof(struct hotspots),
	.begin = hotspots_begin,
	.sample = hotspots_sample,
	.finish = hotspots_finish,
};
