/* SPDX-License-Identifier: MIT */
/*
 * cpi: cycles per instruction, and what else hardware counters say.
 *
 * Takes what the capture has, in this order: readings of a group with cycles
 * and instructions, both sampled as events of their own, cycles between the
 * branches of branch stacks.  Events are known by number or name (counters.h),
 * intervals are explained in ratios.h.  Counts are periods whatever --weight
 * says, scaled where the counters did not run all the time.
 */
#include "analyses/cpi.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/entities.h"
#include "analyses/options.h"
#include "analyses/paths.h"
#include "analyses/recipe.h"
#include "analyses/stacktree.h"

#define PATH_LENGTH 6 /* frames shown of a call path */
enum { SAMPLE_BRANCHES = 1 << 11, BRANCH_CALL_STACK = 1 << 11 };

struct cpi {
	struct cp_run *run;
	uint64_t top;
	bool brief; /* a part of the overview */
	struct cp_cpi_events events;
	struct cp_groups threads; /* their events are slots */
	struct cp_tally *by_thread; /* group of threads, 0 */
	struct cp_tally *by_cpu; /* slot, cpu */
	struct cp_tally *by_stack; /* comm << 8 | slot, stack */
	struct cp_cpi_blocks blocks;

	/* The record whose counts are coming in. */
	struct cp_sample at;
	uint64_t value[CP_ROLES];
	bool has[CP_ROLES];
	bool tells[CP_RATIOS]; /* both events of it are used */
	uint64_t joint; /* records with counts of several events */
	double enabled, running;

	/* Of finish(). */
	bool readings; /* the counts are those of joint records */
	struct cp_counts whole;
	struct cp_entities entities;
	struct cp_grouped by_group;
	const struct cp_tally_row *stacks;
	size_t n_stacks;
};

static bool
may_have_branches(const struct cp_run *run)
{
	uint32_t n = cp_run_evsel_count(run);

	for (uint32_t i = 0; i < n; i++)
		if (cp_run_evsel(run, i)->sample_type & SAMPLE_BRANCHES)
			return true;
	return n == 0; /* a pipe: they are not known yet */
}

static void
counts_init(struct cpi *c, struct cp_run *run)
{
	c->run = run;
	cp_groups_init(&c->threads, run,
	    1u << CP_BY_COMM | 1u << CP_BY_PID | 1u << CP_BY_TID, 0);
	c->by_thread = cp_tally_new(run);
	c->by_cpu = cp_tally_new(run);
	c->by_stack = cp_tally_new(run);
	c->blocks.run = run;
	c->blocks.blocks = cp_tally_new(run);
}

static int
cpi_begin(struct cp_run *run, void *state)
{
	struct cpi *c = state;

	counts_init(c, run);
	c->top = cp_run_option_u64(run, "top");
	if (!may_have_branches(run))
		cp_run_wants(run, CP_WANT_SAMPLES | CP_WANT_STACKS |
		    CP_WANT_NAMES | CP_WANT_SPOTS);
	return CP_OK;
}

/* ----------------------------------------------------------------- samples */

static void
count(struct cpi *c, const struct cp_sample *s, unsigned slot, uint64_t n)
{
	struct cp_sample as = *s;

	as.evsel = slot;
	as.weight = n;
	cp_tally_add(c->by_cpu, slot, s->cpu, n);
	if (!c->brief)
		cp_tally_add(
		    c->by_thread, cp_groups_add(&c->threads, &as), 0, n);
	cp_tally_add(
	    c->by_stack, (uint64_t)s->comm << 8 | slot, s->stack, n);
}

/* The record is complete: which ratios it tells both sides of. */
static void
reading_end(struct cpi *c)
{
	unsigned roles = 0;

	for (unsigned r = 0; r < CP_ROLES; r++)
		roles += c->has[r];
	if (c->at.reading == 0 || roles == 0)
		return;
	c->joint += roles > 1;
	for (unsigned k = 0; k < CP_RATIOS; k++) {
		const struct cp_ratio_def *d = &cp_ratio_defs[k];

		if (c->tells[k] && (c->has[d->above] || c->has[d->below]))
			count(c, &c->at, CP_ROLES + k,
			    c->value[d->above] + c->value[d->below]);
	}
	memset(c->has, 0, sizeof(c->has));
	memset(c->value, 0, sizeof(c->value));
}

static void
events_look(struct cpi *c)
{
	bool used[CP_ROLES] = { 0 };

	cp_cpi_choose(c->run, &c->events);
	for (uint32_t i = 0; i < c->events.n; i++)
		if (c->events.all[i].used)
			used[c->events.all[i].what.role] = true;
	for (unsigned k = 0; k < CP_RATIOS; k++)
		c->tells[k] = used[cp_ratio_defs[k].above] &&
		    used[cp_ratio_defs[k].below];
}

/* Counters that took turns with others stand for all the time. */
static uint64_t
scaled(struct cpi *c, const struct cp_sample *s)
{
	double n;

	if (s->enabled == 0 || s->running == 0)
		return s->period;
	c->enabled += (double)s->enabled;
	c->running += (double)s->running;
	if (s->running >= s->enabled)
		return s->period;
	n = (double)s->period *
	    ((double)s->enabled / (double)s->running);
	return n < 0x1p62 ? (uint64_t)(n + 0.5) : (uint64_t)1 << 62;
}

void
cp_cpi_sample(struct cpi *c, const struct cp_sample *s)
{
	enum cp_role role;
	uint64_t n;

	if (s->evsel >= c->events.n)
		events_look(c);
	if (!c->events.all[s->evsel].used)
		return;
	if (s->reading != c->at.reading)
		reading_end(c);
	c->at = *s;
	role = c->events.all[s->evsel].what.role;
	n = scaled(c, s);
	count(c, s, role, n);
	c->value[role] += n;
	c->has[role] = s->reading != 0;
}

static int
cpi_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct cpi *c = state;

	/* Call stacks made of LBR are no branches one after the other. */
	if (s->branches != 0 &&
	    !(cp_run_evsel(run, s->evsel)->branch_type & BRANCH_CALL_STACK))
		cp_cpi_blocks_sample(&c->blocks, s);
	cp_cpi_sample(c, s);
	return CP_OK;
}

/* -------------------------------------------------------------------- rows */

void
cp_cpi_row_add(struct cp_cpi_rows *rows, uint32_t row, unsigned slot,
    const struct cp_tally_row *t)
{
	struct cp_counts *c;

	cp_grow_to(rows->run, rows->all, &rows->cap, row);
	if (row >= rows->n)
		rows->n = row + 1;
	c = &rows->all[row];
	if (slot < CP_ROLES) {
		c->mass[slot].weight += t->weight;
		c->mass[slot].weight_sq += t->weight_sq;
		c->samples[slot] += t->count;
	} else {
		c->both_sq[slot - CP_ROLES] += t->weight_sq;
		c->readings[slot - CP_ROLES] += t->count;
	}
}

struct ranked {
	const struct cp_counts *counts;
	const char *label;
	uint32_t row;
};

static int
compare_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	uint64_t x = a->counts->mass[CP_ROLE_CYCLES].weight;
	uint64_t y = b->counts->mass[CP_ROLE_CYCLES].weight;
	int c = (x < y) - (x > y);

	if (c == 0) {
		x = a->counts->mass[CP_ROLE_INSTRUCTIONS].weight;
		y = b->counts->mass[CP_ROLE_INSTRUCTIONS].weight;
		c = (x < y) - (x > y);
	}
	if (c == 0)
		c = strcmp(a->label, b->label);
	return c != 0 ? c : (a->row > b->row) - (a->row < b->row);
}

uint32_t *
cp_cpi_rows_sort(const struct cp_cpi_rows *rows, uint32_t *n,
    const char *const *labels)
{
	size_t size = rows->n + 1;
	struct ranked *all = cp_run_alloc(rows->run, size * sizeof(*all));
	uint32_t *order = cp_run_alloc(rows->run, size * sizeof(*order));

	*n = 0;
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->all[i].samples[CP_ROLE_CYCLES] != 0 ||
		    rows->all[i].samples[CP_ROLE_INSTRUCTIONS] != 0)
			all[(*n)++] = (struct ranked) {
				&rows->all[i], labels[i], i };
	qsort(all, *n, sizeof(*all), compare_ranked);
	for (uint32_t i = 0; i < *n; i++)
		order[i] = all[i].row;
	return order;
}

/* ------------------------------------------------------------------ tables */

/* The ratios other than CPI that some event tells. */
static bool
ratio_is_there(const struct cpi *c, unsigned kind)
{
	const struct cp_ratio_def *d = &cp_ratio_defs[kind];

	return c->whole.samples[d->above] != 0 &&
	    c->whole.samples[d->below] != 0;
}

static struct cp_table *
table_new(const struct cpi *c, struct cp_report *rep, const char *slug,
    const char *title)
{
	struct cp_table *t = cp_report_table(rep, slug, title);

	cp_table_column(t, "Cycles", CP_COL_SHARE);
	cp_table_column(t, "CPI", CP_COL_RATE);
	cp_table_column(t, "IPC", CP_COL_RATE);
	cp_table_column(t, c->readings ? "Readings" : "Samples", CP_COL_COUNT);
	if (!c->readings)
		cp_table_column(t, "Instr. samples", CP_COL_COUNT);
	return t;
}

static void
row_cells(const struct cpi *c, struct cp_table *t, const struct cp_counts *row)
{
	struct cp_ratio r =
	    cp_ratio_of(row, &c->whole, CP_RATIO_CPI, c->readings);

	cp_table_row(t);
	cp_part_cell(t, row->mass[CP_ROLE_CYCLES],
	    c->whole.mass[CP_ROLE_CYCLES]);
	cp_ratio_cell(t, r);
	cp_ratio_cell(t, cp_ratio_inverse(r));
	cp_table_u64(t, c->readings ? row->readings[CP_RATIO_CPI]
				    : row->samples[CP_ROLE_CYCLES]);
	if (!c->readings)
		cp_table_u64(t, row->samples[CP_ROLE_INSTRUCTIONS]);
}

/* What the labels of a row are; the first also breaks ties. */
typedef void (*labels_fn)(
    const struct cpi *, const void *ctx, uint32_t row, struct cp_table *);

struct shown {
	const char *slug, *title;
	const char *columns[4]; /* of text, NULL at the end */
	labels_fn labels;
	const void *ctx;
	const char *const *sort; /* text by row */
};

static void
rows_show(const struct cpi *c, const struct cp_cpi_rows *rows,
    const struct shown *s, struct cp_report *rep)
{
	uint32_t n, *order = cp_cpi_rows_sort(rows, &n, s->sort);
	struct cp_table *t = table_new(c, rep, s->slug, s->title);
	uint64_t rest = 0;
	uint32_t i;

	for (int k = 0; s->columns[k] != NULL; k++)
		cp_table_column(t, s->columns[k], CP_COL_TEXT);
	for (i = 0; i < n && (c->top == 0 || i < c->top); i++) {
		row_cells(c, t, &rows->all[order[i]]);
		s->labels(c, s->ctx, order[i], t);
	}
	if (i == n)
		return;
	for (uint32_t k = i; k < n; k++)
		rest += rows->all[order[k]].mass[CP_ROLE_CYCLES].weight;
	cp_table_rest(t, n - i, rest);
}

/* The other ratios of the rows shown, where the events are there. */
static void
misses_show(const struct cpi *c, const struct cp_cpi_rows *rows,
    const struct shown *s, struct cp_report *rep)
{
	uint32_t n, *order = cp_cpi_rows_sort(rows, &n, s->sort);
	struct cp_table *t;
	bool any = false;

	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
		any |= ratio_is_there(c, k);
	if (!any)
		return;
	t = cp_report_table(rep, "misses", "Further ratios by symbol");
	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
		if (ratio_is_there(c, k))
			cp_table_column(
			    t, cp_ratio_defs[k].column, CP_COL_RATE);
	for (int k = 0; s->columns[k] != NULL; k++)
		cp_table_column(t, s->columns[k], CP_COL_TEXT);
	for (uint32_t i = 0; i < n && (c->top == 0 || i < c->top); i++) {
		cp_table_row(t);
		for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
			if (ratio_is_there(c, k))
				cp_ratio_cell(t,
				    cp_ratio_of(&rows->all[order[i]],
				        &c->whole, (enum cp_ratio_kind)k,
				        c->readings));
		s->labels(c, s->ctx, order[i], t);
	}
}

/* --------------------------------------------------------- what code it is */

static void
entity_labels(const struct cpi *c, const void *ctx, uint32_t row,
    struct cp_table *t)
{
	const struct cp_entities *e = ctx;
	struct cp_word word;

	cp_table_text(t, cp_word_object(c->run, e->all[row].dso));
	if (e->by_symbol)
		cp_table_text(t, cp_entity_name(&e->all[row], &word));
}

static void
entities_show(struct cpi *c, uint32_t frames, bool symbols,
    struct cp_report *rep)
{
	struct cp_entities e;
	struct cp_cpi_rows rows = { .run = c->run };
	struct shown s = { .slug = c->brief ? "cpi-symbols"
		    : symbols               ? "symbols"
					    : "objects",
		.title = c->brief ? "Cycles per instruction"
		    : symbols     ? "By symbol"
				  : "By object",
		.columns = { "Object", symbols ? "Symbol" : NULL },
		.labels = entity_labels, .ctx = &e };
	const char **sort;
	struct cp_word word;

	cp_entities_init(&e, c->run, frames, symbols, true);
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];

		cp_cpi_row_add(&rows,
		    cp_entities_of(&e,
		        cp_stack_frame(c->run, (cp_stack_id)t->b)),
		    (unsigned)(t->a & 0xff), t);
	}
	sort = cp_run_alloc(c->run, (rows.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < rows.n; i++)
		sort[i] = cp_run_string(c->run,
		    cp_run_intern(c->run,
		        symbols ? cp_entity_name(&e.all[i], &word)
				: cp_word_object(c->run, e.all[i].dso)));
	s.sort = sort;
	rows_show(c, &rows, &s, rep);
	if (symbols && !c->brief)
		misses_show(c, &rows, &s, rep);
}

struct places {
	struct cp_index index; /* file, line */
	cp_frame_id *frame; /* the first seen, by row */
	const char **text; /* "file:line", by row */
	uint32_t cap;
};

static void
place_labels(const struct cpi *c, const void *ctx, uint32_t row,
    struct cp_table *t)
{
	const struct places *p = ctx;
	const struct cp_symbol *sym =
	    cp_frame_symbol(c->run, p->frame[row]);

	cp_table_text(t, p->text[row]);
	cp_table_text(t, sym != NULL ? sym->name : "[unknown]");
}

/* The row of the line that a frame is in; CP_NO_ID: it is not known. */
static uint32_t
place_row(struct cpi *c, struct places *p, cp_frame_id frame)
{
	const struct cp_spot *spots;
	size_t n = cp_frame_spots(c->run, frame, &spots);
	uint32_t row;

	if (n == 0 || spots[n - 1].file == NULL || spots[n - 1].line == 0)
		return CP_NO_ID;
	row = cp_index_put(&p->index,
	    cp_run_intern(c->run, spots[n - 1].file), spots[n - 1].line);
	cp_grow_to(c->run, p->frame, &p->cap, row);
	if (p->frame[row] == 0)
		p->frame[row] = frame;
	return row;
}

/* By line, where debug information tells; the innermost inlined one's. */
static void
places_show(struct cpi *c, struct cp_report *rep)
{
	struct places p = { 0 };
	struct cp_cpi_rows rows = { .run = c->run };
	struct shown s = { .slug = "lines", .title = "By line",
		.columns = { "Line", "Symbol" },
		.labels = place_labels, .ctx = &p };
	char text[4096];

	cp_index_init(&p.index, c->run);
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];
		uint32_t row = place_row(c, &p,
		    cp_stack_frame(c->run, (cp_stack_id)t->b));

		if (row != CP_NO_ID)
			cp_cpi_row_add(
			    &rows, row, (unsigned)(t->a & 0xff), t);
	}
	if (rows.n == 0)
		return;
	p.text = cp_run_alloc(c->run, rows.n * sizeof(*p.text));
	for (uint32_t i = 0; i < rows.n; i++) {
		snprintf(text, sizeof(text), "%.4000s:%" PRIu64,
		    cp_run_string(
		        c->run, (cp_string_id)p.index.all[i].a),
		    p.index.all[i].b);
		p.text[i] =
		    cp_run_string(c->run, cp_run_intern(c->run, text));
	}
	s.sort = p.text;
	rows_show(c, &rows, &s, rep);
}

/* ------------------------------------------------------------ who it was */

struct tasks {
	struct cp_index index; /* pid << 32 | tid, comm; or pid, 0 */
	cp_string_id *comm; /* by row */
	uint32_t cap;
	bool processes;
};

static void
task_labels(const struct cpi *c, const void *ctx, uint32_t row,
    struct cp_table *t)
{
	const struct tasks *k = ctx;
	const struct cp_pair *p = &k->index.all[row];
	struct cp_word word;

	cp_table_text(t, cp_run_string(c->run, k->comm[row]));
	cp_table_text(t,
	    cp_word_id(&word,
	        (uint32_t)(k->processes ? p->a : p->a >> 32)));
	if (!k->processes)
		cp_table_text(t, cp_word_id(&word, (uint32_t)p->a));
}

static uint32_t
task_row(struct cpi *c, struct tasks *k, const uint64_t *v)
{
	uint32_t row = k->processes
	    ? cp_index_put(&k->index, v[CP_BY_PID], 0)
	    : cp_index_put(&k->index, v[CP_BY_PID] << 32 | v[CP_BY_TID],
		  v[CP_BY_COMM]);

	cp_grow_to(c->run, k->comm, &k->cap, row);
	/* A process goes by the name of its main thread. */
	if (k->comm[row] == 0 || v[CP_BY_PID] == v[CP_BY_TID])
		k->comm[row] = (cp_string_id)v[CP_BY_COMM];
	return row;
}

static void
tasks_show(struct cpi *c, bool processes, struct cp_report *rep)
{
	struct tasks k = { .processes = processes };
	struct cp_cpi_rows rows = { .run = c->run };
	struct shown s = { .slug = processes ? "processes" : "threads",
		.title = processes ? "By process" : "By thread",
		.columns = { "Command", "PID", processes ? NULL : "TID" },
		.labels = task_labels, .ctx = &k };
	const struct cp_grouped *g = &c->by_group;
	const char **sort;

	cp_index_init(&k.index, c->run);
	for (size_t i = 0; i < g->n; i++) {
		const uint64_t *v = c->threads.all[g->rows[i].a].v;

		cp_cpi_row_add(&rows, task_row(c, &k, v),
		    (unsigned)v[CP_BY_EVENT], &g->rows[i]);
	}
	sort = cp_run_alloc(c->run, (rows.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < rows.n; i++)
		sort[i] = cp_run_string(c->run, k.comm[i]);
	s.sort = sort;
	rows_show(c, &rows, &s, rep);
}

static void
cpu_labels(const struct cpi *c, const void *ctx, uint32_t row,
    struct cp_table *t)
{
	const char *const *sort = ctx;

	cp_table_text(t, sort[row]);
}

static void
cpus_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_cpi_rows rows = { .run = c->run };
	struct shown s = { .slug = "cpus", .title = "By CPU",
		.columns = { "CPU" }, .labels = cpu_labels };
	const struct cp_tally_row *t;
	size_t n = cp_tally_rows(c->by_cpu, &t);
	struct cp_index index;
	const char **sort;
	struct cp_word word;

	cp_index_init(&index, c->run);
	for (size_t i = 0; i < n; i++)
		cp_cpi_row_add(&rows, cp_index_put(&index, t[i].b, 0),
		    (unsigned)t[i].a, &t[i]);
	sort = cp_run_alloc(c->run, (rows.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < rows.n; i++)
		sort[i] = cp_run_string(c->run,
		    cp_run_intern(c->run,
		        cp_word_id(&word, (uint32_t)index.all[i].a)));
	s.ctx = s.sort = sort;
	if (rows.n > 1)
		rows_show(c, &rows, &s, rep);
}

/* -------------------------------------------------------------- call paths */

struct calls {
	struct cp_stacktree st;
	struct cp_index leaves; /* nodes of the tree that stacks end at */
	struct cp_cpi_rows self; /* by number in leaves */
	uint32_t *parent; /* of the tree, by node */
	const char **name;
	uint32_t n;
};

static void
path_labels(const struct cpi *c, const void *ctx, uint32_t row,
    struct cp_table *t)
{
	const struct calls *k = ctx;
	uint32_t node = (uint32_t)k->leaves.all[row].a;
	char text[1024];
	size_t n = 0;

	(void)c;
	text[0] = '\0';
	for (int i = 0; k->parent[node] != 0; i++, node = k->parent[node])
		if (i < PATH_LENGTH)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "%s%.150s", i != 0 ? " < " : "", k->name[node]);
		else if (i == PATH_LENGTH)
			snprintf(text + n, sizeof(text) - n, " < ...");
	cp_table_text(t, k->name[node]); /* below the root are commands */
	cp_table_text(t, text);
}

/* Parents and names of the tree's nodes. */
static void
calls_link(const struct cpi *c, struct calls *k)
{
	k->n = k->st.nodes.n + 1;
	k->parent = cp_run_alloc(c->run, k->n * sizeof(*k->parent));
	k->name = cp_run_alloc(c->run, k->n * sizeof(*k->name));
	k->name[0] = "";
	for (uint32_t i = 0; i < k->st.nodes.n; i++) {
		const struct cp_pair *p = &k->st.nodes.all[i];

		k->parent[k->st.node[i]] = (uint32_t)p->a;
		k->name[k->st.node[i]] =
		    cp_run_string(c->run, (cp_string_id)p->b);
	}
}

static void
calls_make(struct cpi *c, struct calls *k, struct cp_tree *tree)
{
	cp_stacktree_init(&k->st, c->run, tree);
	cp_index_init(&k->leaves, c->run);
	k->self = (struct cp_cpi_rows) { .run = c->run };
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];
		uint32_t node = cp_stacktree_label(&k->st, 0,
		    cp_run_string(c->run, (cp_string_id)(t->a >> 8)),
		    CP_KIND_NONE);

		node = cp_stacktree_stack(&k->st, node,
		    cp_stack_inlined(c->run, (cp_stack_id)t->b), 0);
		cp_cpi_row_add(&k->self, cp_index_put(&k->leaves, node, 0),
		    (unsigned)(t->a & 0xff), t);
		if ((t->a & 0xff) == CP_ROLE_CYCLES)
			cp_tree_add(tree, node, t->weight, t->count);
	}
	calls_link(c, k);
}

/* What a node and all below it did; a tree may have a great many. */
struct below {
	struct cp_mass mass[2]; /* cycles, instructions */
	uint64_t samples[2];
	double both_sq;
	uint64_t readings;
};

static void
below_add(struct below *to, const struct below *b)
{
	for (int i = 0; i < 2; i++) {
		to->mass[i].weight += b->mass[i].weight;
		to->mass[i].weight_sq += b->mass[i].weight_sq;
		to->samples[i] += b->samples[i];
	}
	to->both_sq += b->both_sq;
	to->readings += b->readings;
}

static double
below_cpi(const struct cpi *c, const struct below *b)
{
	struct cp_counts counts = { 0 };

	for (int i = 0; i < 2; i++) {
		counts.mass[CP_ROLE_CYCLES + i] = b->mass[i];
		counts.samples[CP_ROLE_CYCLES + i] = b->samples[i];
	}
	counts.both_sq[CP_RATIO_CPI] = b->both_sq;
	counts.readings[CP_RATIO_CPI] = b->readings;
	return cp_ratio_of(&counts, &c->whole, CP_RATIO_CPI, c->readings)
	    .value;
}

/* A box has the colour of all that it and what it called did. */
static void
tree_colour(struct cpi *c, const struct calls *k, struct cp_tree *tree)
{
	struct below *sum = cp_run_alloc(c->run, k->n * sizeof(*sum));
	struct cp_ratio all =
	    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI, c->readings);

	if (!isfinite(all.value))
		return;
	for (uint32_t i = 0; i < k->self.n; i++) {
		const struct cp_counts *s = &k->self.all[i];
		struct below own = { .both_sq = s->both_sq[CP_RATIO_CPI],
			.readings = s->readings[CP_RATIO_CPI],
			.mass = { s->mass[CP_ROLE_CYCLES],
			    s->mass[CP_ROLE_INSTRUCTIONS] },
			.samples = { s->samples[CP_ROLE_CYCLES],
			    s->samples[CP_ROLE_INSTRUCTIONS] } };

		sum[k->leaves.all[i].a] = own;
	}
	for (uint32_t i = k->n; i-- > 1;)
		below_add(&sum[k->parent[i]], &sum[i]);
	cp_tree_scale(tree, CP_SCALE_RATIO, all.value, "CPI");
	for (uint32_t i = 0; i < k->n; i++)
		cp_tree_value(tree, i, below_cpi(c, &sum[i]));
}

static void
calls_show(struct cpi *c, struct cp_report *rep)
{
	struct calls k;
	struct shown s = { .slug = "paths", .title = "By call path",
		.columns = { "Command", "Path, innermost first" },
		.labels = path_labels, .ctx = &k };
	struct cp_tree *tree =
	    cp_report_tree(rep, "cpi-flame", "cycles, coloured by CPI");
	const char **sort;

	cp_tree_unit(tree, "cycles", CP_COL_COUNT,
	    c->readings ? "readings" : "samples");
	calls_make(c, &k, tree);
	tree_colour(c, &k, tree);
	sort = cp_run_alloc(c->run, (k.self.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < k.self.n; i++)
		sort[i] = k.name[k.leaves.all[i].a];
	s.sort = sort;
	rows_show(c, &k.self, &s, rep);
}

/* ------------------------------------------------------------------- notes */

static void
note_source(const struct cpi *c, struct cp_report *rep)
{
	const struct cp_counts *w = &c->whole;
	struct cp_word a, b;

	if (c->readings) {
		cp_report_note(rep,
		    "from readings of a group: each of %s samples brought the "
		    "counts of cycles and instructions since the one before; "
		    "functions that take turns faster than the sampling share "
		    "what both did",
		    cp_word_count(&a, w->readings[CP_RATIO_CPI]));
		return;
	}
	cp_report_note(rep,
	    "from cycles and instructions sampled each by itself (%s and %s "
	    "samples): their periods are summed, so rows need samples of "
	    "both",
	    cp_word_count(&a, w->samples[CP_ROLE_CYCLES]),
	    cp_word_count(&b, w->samples[CP_ROLE_INSTRUCTIONS]));
}

static void
note_running(const struct cpi *c, struct cp_report *rep)
{
	struct cp_word a;

	if (c->running < c->enabled)
		cp_report_note(rep,
		    "the counters ran %s of the time only, in turns with "
		    "others (multiplexing): counts are scaled to all of it",
		    cp_word_percent(&a, c->running, c->enabled));
}

static void
note_throttled(struct cpi *c, struct cp_report *rep)
{
	uint64_t missing[2] = { 0 };
	struct cp_word a, b;

	for (uint32_t i = 0; i < c->events.n; i++) {
		const struct cp_evsel *e = cp_run_evsel(c->run, i);
		enum cp_role role = c->events.all[i].what.role;

		if (c->events.all[i].used && role <= CP_ROLE_INSTRUCTIONS)
			missing[role] += e->throttled + e->lost_samples;
	}
	if (!c->readings && (missing[0] != 0 || missing[1] != 0))
		cp_report_note(rep,
		    "samples were throttled or lost: %s times of cycles, %s "
		    "of instructions; their counts are too low, and not by "
		    "the same part (readings of a group do not suffer: -e "
		    "'{cycles,instructions}:S')",
		    cp_word_count(&a, missing[0]),
		    cp_word_count(&b, missing[1]));
}

static void
note_reading(const struct cpi *c, struct cp_ratio r, struct cp_report *rep)
{
	unsigned width = cp_machine_width(c->run);

	(void)c;
	if (isfinite(r.value))
		cp_report_note(rep,
		    "the usual reading, a rule of thumb and no verdict: CPI "
		    "below 1, the code flows; 1 to 2, ordinary; 2 to 4, it "
		    "waits often, for memory or after branches; above 4, it "
		    "does little else; all of this is at %.2f",
		    r.value);
	if (isfinite(r.value) && width != 0)
		cp_report_note(rep,
		    "this processor can finish %u instructions a cycle; %.2f "
		    "are %.0f %% of that",
		    width, 1 / r.value, 100 / r.value / width);
	cp_report_note(rep,
	    "a ratio is known from %d samples of either event on",
	    CP_RATIO_LEAST);
}

/* ------------------------------------------------------------------ finish */

static void
sum_whole(struct cpi *c)
{
	struct cp_cpi_rows rows = { .run = c->run };
	const struct cp_tally_row *t;
	size_t n = cp_tally_rows(c->by_cpu, &t);

	for (size_t i = 0; i < n; i++)
		cp_cpi_row_add(&rows, 0, (unsigned)t[i].a, &t[i]);
	if (n != 0)
		c->whole = rows.all[0];
	c->readings = c->joint != 0;
}

static void
scalars_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_ratio r =
	    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI, c->readings);
	struct cp_ratio i = cp_ratio_inverse(r);

	cp_report_scalar_value(rep, "ratios", "cpi", CP_COL_RATE, r.value, r.lo,
	    r.hi);
	cp_report_scalar_value(rep, "ratios", "ipc", CP_COL_RATE, i.value, i.lo,
	    i.hi);
	cp_report_scalar(rep, "ratios", "cycles", CP_COL_COUNT,
	    c->whole.mass[CP_ROLE_CYCLES].weight);
	cp_report_scalar(rep, "ratios", "instructions", CP_COL_COUNT,
	    c->whole.mass[CP_ROLE_INSTRUCTIONS].weight);
	cp_report_scalar_text(rep, "ratios", "source",
	    c->readings ? "group readings" : "separate samples");
	cp_report_scalar_text(rep, "ratios", "cycles_event",
	    cp_cpi_names(c->run, &c->events, CP_ROLE_CYCLES));
	cp_report_scalar_text(rep, "ratios", "instructions_event",
	    cp_cpi_names(c->run, &c->events, CP_ROLE_INSTRUCTIONS));
	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++) {
		if (!ratio_is_there(c, k))
			continue;
		r = cp_ratio_of(&c->whole, &c->whole, (enum cp_ratio_kind)k,
		    c->readings);
		cp_report_scalar_value(rep, "ratios", cp_ratio_defs[k].name,
		    CP_COL_RATE, r.value, r.lo, r.hi);
	}
}

static void
tables_show(struct cpi *c, struct cp_report *rep)
{
	struct cp_paths paths;

	c->n_stacks = cp_tally_rows(c->by_stack, &c->stacks);
	cp_paths_build(&paths, c->run, c->stacks, c->n_stacks);
	cp_rows_name(c->run, c->stacks, c->n_stacks);
	entities_show(c, paths.frames, true, rep);
	if (c->brief)
		return;
	c->by_group = cp_groups_sort(&c->threads, c->by_thread);
	entities_show(c, paths.frames, false, rep);
	places_show(c, rep);
	tasks_show(c, true, rep);
	tasks_show(c, false, rep);
	cpus_show(c, rep);
	calls_show(c, rep);
}

static bool
has_both(const struct cpi *c)
{
	return c->whole.samples[CP_ROLE_CYCLES] != 0 &&
	    c->whole.samples[CP_ROLE_INSTRUCTIONS] != 0;
}

/* What is missing, and how to get it. */
static void
note_missing(const struct cpi *c, struct cp_report *rep)
{
	for (uint32_t i = 0; i < c->events.n; i++)
		if (c->events.all[i].used &&
		    c->whole.samples[c->events.all[i].what.role] == 0) {
			cp_report_note(rep,
			    "no sample of %.200s is left, by the filters or "
			    "because there was none",
			    cp_event_name(c->run, i));
			return;
		}
	cp_recipe_note(rep, "cycles and instructions counted together",
	    "-e '{cycles,instructions}:S' -g");
}

static int
cpi_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	struct cpi *c = state;

	reading_end(c);
	sum_whole(c);
	if (has_both(c)) {
		scalars_show(c, rep);
		tables_show(c, rep);
		note_source(c, rep);
		note_running(c, rep);
		note_throttled(c, rep);
		note_reading(c,
		    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI,
		        c->readings),
		    rep);
	} else if (!cp_cpi_blocks_show(&c->blocks, rep, c->top)) {
		cp_report_table(rep, "symbols", "By symbol");
		note_missing(c, rep);
	}
	cp_cpi_note_events(run, &c->events, rep);
	return CP_OK;
}

struct cpi *
cp_cpi_new(struct cp_run *run, uint64_t top)
{
	struct cpi *c = cp_run_alloc(run, sizeof(*c));

	counts_init(c, run);
	c->brief = true;
	c->top = top;
	return c;
}

void
cp_cpi_brief_show(struct cpi *c, struct cp_report *rep)
{
	reading_end(c);
	sum_whole(c);
	if (!has_both(c))
		return;
	scalars_show(c, rep);
	tables_show(c, rep);
	note_throttled(c, rep);
}

static const struct cp_option cpi_options[] = {
	{ "top", "N", "20", "show the N rows with most cycles, 0: all" },
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(cpi) = {
	.abi = CP_ABI,
	.name = "cpi",
	.summary = "cycles per instruction, misses, stalls, and where",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_NAMES |
	    CP_WANT_RAW | CP_WANT_SPOTS,
	.options = cpi_options,
	.state_size = sizeof(struct cpi),
	.begin = cpi_begin,
	.sample = cpi_sample,
	.finish = cpi_finish,
};
