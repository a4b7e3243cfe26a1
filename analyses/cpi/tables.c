/* SPDX-License-Identifier: MIT */
/* tables: the tables of cpi: by symbol, object, line, process, thread, CPU. */
#include "analyses/cpi/cpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ tables */

bool
cp_cpi_ratio_known(const struct cpi *c, unsigned kind)
{
	const struct cp_ratio_def *d = &cp_ratio_defs[kind];

	return c->tells[kind] && c->whole.samples[d->above] != 0 &&
	       c->whole.samples[d->below] != 0;
}

static struct cp_table *
table_new(const struct cpi *c, struct cp_report *rep, const char *slug,
    const char *title)
{
	struct cp_table *t = cp_report_table(rep, slug, title, NULL, 0);

	cp_table_columns(
	    t, CP_COLUMNS(((const struct cp_column_spec[]){ CP_SHARE("Cycles"),
		   CP_RATE("CPI"), CP_RATE("IPC"),
		   CP_COUNT(c->readings ? "Readings" : "Samples") })));
	if (!c->readings)
		cp_table_column(t, CP_COUNT("Instr. samples"));
	return t;
}

static void
row_cells(const struct cpi *c, struct cp_table *t, const struct cp_counts *row)
{
	struct cp_ratio r =
	    cp_ratio_of(row, &c->whole, CP_RATIO_CPI, c->readings);

	cp_table_add(t,
	    cp_cell_share(row->mass[CP_ROLE_CYCLES],
		(struct cp_whole){ .mass = c->whole.mass[CP_ROLE_CYCLES],
		    .dispersion = c->dispersion }),
	    cp_ratio_cell(r), cp_ratio_cell(cp_ratio_inverse(r)),
	    c->readings ? row->readings[CP_RATIO_CPI]
			: row->samples[CP_ROLE_CYCLES]);
	if (!c->readings)
		cp_table_cells(t, row->samples[CP_ROLE_INSTRUCTIONS]);
}

void
cp_cpi_rows_show(const struct cpi *c, const struct cp_cpi_rows *rows,
    const struct cp_cpi_shown *s, struct cp_report *rep)
{
	uint32_t n, *order = cp_cpi_rows_sort(rows, &n, s->sort);
	struct cp_table *t = table_new(c, rep, s->slug, s->title);
	uint64_t rest = 0;
	uint32_t i;

	for (int k = 0; s->columns[k] != NULL; k++)
		cp_table_column(t, CP_TEXT(s->columns[k]));
	for (i = 0; i < n && (c->top == 0 || i < c->top); i++) {
		struct cp_counts counts = cp_cpi_row(rows, order[i]);

		row_cells(c, t, &counts);
		s->labels(c, s->ctx, order[i], t);
	}
	if (i == n)
		return;
	for (uint32_t k = i; k < n; k++)
		rest += cp_cpi_row_cell(rows, order[k], CP_ROLE_CYCLES)
			    ->mass.weight;
	cp_table_rest(t, n - i, rest);
}

/* Shows the other ratios of the rows, if their events were recorded. */
static void
misses_show(const struct cpi *c, const struct cp_cpi_rows *rows,
    const struct cp_cpi_shown *s, struct cp_report *rep)
{
	uint32_t n, *order = cp_cpi_rows_sort(rows, &n, s->sort);
	struct cp_table *t;
	bool any = false;

	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
		any |= cp_cpi_ratio_known(c, k);
	if (!any)
		return;
	t = cp_report_table(rep, "misses", "Further ratios by symbol", NULL, 0);
	for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
		if (cp_cpi_ratio_known(c, k))
			cp_table_column(t, CP_RATE(cp_ratio_defs[k].column));
	for (int k = 0; s->columns[k] != NULL; k++)
		cp_table_column(t, CP_TEXT(s->columns[k]));
	for (uint32_t i = 0; i < n && (c->top == 0 || i < c->top); i++) {
		struct cp_counts counts = cp_cpi_row(rows, order[i]);

		cp_table_row(t);
		for (unsigned k = CP_RATIO_CPI + 1; k < CP_RATIOS; k++)
			if (cp_cpi_ratio_known(c, k))
				cp_table_cells(
				    t, cp_ratio_cell(cp_ratio_of(&counts,
					   &c->whole, (enum cp_ratio_kind)k,
					   c->readings)));
		s->labels(c, s->ctx, order[i], t);
	}
}

/* --------------------------------------------------------- what code it is */

static void
entity_labels(
    const struct cpi *c, const void *ctx, uint32_t row, struct cp_table *t)
{
	const struct cp_entities *e = ctx;
	struct cp_word word;

	cp_table_cells(t, cp_word_object(c->run, e->all[row].dso));
	if (e->by_symbol)
		cp_table_cells(t, cp_entity_name(&e->all[row], &word));
}

/* Returns the name; one that is made here is kept with the run. */
static const char *
kept_name(struct cpi *c, const struct cp_entity *e)
{
	struct cp_word word;
	const char *name = cp_entity_name(e, &word);

	return name != word.text
		   ? name
		   : cp_run_string(c->run, cp_run_intern(c->run, name));
}

void
cp_cpi_entities_show(
    struct cpi *c, uint32_t frames, bool symbols, struct cp_report *rep)
{
	struct cp_entities e;
	struct cp_cpi_rows rows = cp_cpi_rows_new(c->run, &c->whole);
	struct cp_cpi_shown s = { .slug = c->brief  ? "cpi-symbols"
					  : symbols ? "symbols"
						    : "objects",
		.title = c->brief  ? "Cycles per instruction"
			 : symbols ? "By symbol"
				   : "By object",
		.columns = { "Object", symbols ? "Symbol" : NULL },
		.labels = entity_labels,
		.ctx = &e };
	const char **sort;

	cp_entities_init(&e, c->run, frames, symbols, true);
	e.unnamed_as_one = true;
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];

		cp_cpi_row_add(&rows, cp_entities_of(&e, cp_cpi_frame(c, t)),
		    (unsigned)(t->a & 0xff), t);
	}
	sort = cp_run_alloc(c->run, (rows.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < rows.n; i++)
		sort[i] = symbols ? kept_name(c, &e.all[i])
				  : cp_word_object(c->run, e.all[i].dso);
	s.sort = sort;
	cp_cpi_rows_show(c, &rows, &s, rep);
	if (symbols && !c->brief)
		misses_show(c, &rows, &s, rep);
}

struct places {
	struct cp_index index; /* file, line */
	cp_frame_id *frame;    /* the first one seen, by row */
	const char **text;     /* "file:line", by row */
	uint32_t cap;
};

static void
place_labels(
    const struct cpi *c, const void *ctx, uint32_t row, struct cp_table *t)
{
	const struct places *p = ctx;
	const struct cp_symbol *sym = cp_frame_symbol(c->run, p->frame[row]);

	cp_table_cells(t, p->text[row], sym != NULL ? sym->name : "[unknown]");
}

/* Returns the row of a frame's line; CP_NO_ID: the line is not known. */
static uint32_t
place_row(struct cpi *c, struct places *p, cp_frame_id frame)
{
	const struct cp_spot *spots;
	size_t n = cp_frame_spots(c->run, frame, &spots);
	uint32_t row;

	if (n == 0 || spots[n - 1].file == NULL || spots[n - 1].line == 0)
		return CP_NO_ID;
	row = cp_index_put(&p->index, cp_run_intern(c->run, spots[n - 1].file),
	    spots[n - 1].line);
	cp_grow_to(c->run, p->frame, &p->cap, row);
	if (p->frame[row] == 0)
		p->frame[row] = frame;
	return row;
}

/*
 * Sums by line of the innermost function inlined, where debug information
 * tells.
 */
void
cp_cpi_lines_show(struct cpi *c, struct cp_report *rep)
{
	struct places p = { 0 };
	struct cp_cpi_rows rows = cp_cpi_rows_new(c->run, &c->whole);
	struct cp_cpi_shown s = { .slug = "lines",
		.title = "By line",
		.columns = { "Line", "Symbol" },
		.labels = place_labels,
		.ctx = &p };
	char text[4096];

	cp_index_init(&p.index, c->run);
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct cp_tally_row *t = &c->stacks[i];
		uint32_t row = place_row(c, &p, cp_cpi_frame(c, t));

		if (row != CP_NO_ID)
			cp_cpi_row_add(&rows, row, (unsigned)(t->a & 0xff), t);
	}
	if (rows.n == 0)
		return;
	p.text = cp_run_alloc(c->run, rows.n * sizeof(*p.text));
	for (uint32_t i = 0; i < rows.n; i++) {
		snprintf(text, sizeof(text), "%.4000s:%" PRIu64,
		    cp_run_string(c->run, (cp_string_id)p.index.all[i].a),
		    p.index.all[i].b);
		p.text[i] = cp_run_string(c->run, cp_run_intern(c->run, text));
	}
	s.sort = p.text;
	cp_cpi_rows_show(c, &rows, &s, rep);
}

/* ------------------------------------------------------------ who it was */

struct tasks {
	struct cp_index index; /* pid << 32 | tid, comm; or pid, 0 */
	cp_string_id *comm;    /* by row */
	uint32_t cap;
	bool processes;
};

static void
task_labels(
    const struct cpi *c, const void *ctx, uint32_t row, struct cp_table *t)
{
	const struct tasks *k = ctx;
	const struct cp_pair *p = &k->index.all[row];

	cp_table_cells(t, cp_run_string(c->run, k->comm[row]),
	    cp_cell_id((uint32_t)(k->processes ? p->a : p->a >> 32)));
	if (!k->processes)
		cp_table_cells(t, cp_cell_id((uint32_t)p->a));
}

static uint32_t
task_row(struct cpi *c, struct tasks *k, const uint64_t *v)
{
	uint32_t row = k->processes ? cp_index_put(&k->index, v[CP_BY_PID], 0)
				    : cp_index_put(&k->index,
					  v[CP_BY_PID] << 32 | v[CP_BY_TID],
					  v[CP_BY_COMM]);

	cp_grow_to(c->run, k->comm, &k->cap, row);
	/* A process has the name of its main thread. */
	if (k->comm[row] == 0 || v[CP_BY_PID] == v[CP_BY_TID])
		k->comm[row] = (cp_string_id)v[CP_BY_COMM];
	return row;
}

void
cp_cpi_tasks_show(struct cpi *c, bool processes, struct cp_report *rep)
{
	struct tasks k = { .processes = processes };
	struct cp_cpi_rows rows = cp_cpi_rows_new(c->run, &c->whole);
	struct cp_cpi_shown s = { .slug = processes ? "processes" : "threads",
		.title = processes ? "By process" : "By thread",
		.columns = { "Command", "PID", processes ? NULL : "TID" },
		.labels = task_labels,
		.ctx = &k };
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
	cp_cpi_rows_show(c, &rows, &s, rep);
}

static void
cpu_labels(
    const struct cpi *c, const void *ctx, uint32_t row, struct cp_table *t)
{
	const char *const *sort = ctx;

	cp_table_cells(t, sort[row]);
}

/* The events of a hybrid processor name the kind of core: "cpu_core/cycles/".
 */
static const char *
core_of(const struct cpi *c, uint32_t evsel)
{
	const char *name = cp_run_evsel(c->run, evsel)->name;
	char core[64];
	size_t n = strcspn(name, "/");

	if (name[n] == '\0' || n >= sizeof(core))
		return name;
	memcpy(core, name, n);
	core[n] = '\0';
	return cp_run_string(c->run, cp_run_intern(c->run, core));
}

/* Are there events of one meaning, one for each kind of core? */
static bool
is_hybrid(const struct cpi *c)
{
	for (uint32_t i = 0; i < c->events.n; i++)
		if (c->events.all[i].used && cp_run_event_of(c->run, i) != i)
			return true;
	return false;
}

void
cp_cpi_cpus_show(struct cpi *c, bool cores, struct cp_report *rep)
{
	struct cp_cpi_rows rows = cp_cpi_rows_new(c->run, &c->whole);
	struct cp_cpi_shown s = { .slug = cores ? "cores" : "cpus",
		.title = cores ? "By kind of core" : "By CPU",
		.columns = { cores ? "Core" : "CPU" },
		.labels = cpu_labels };
	const struct cp_tally_row *t;
	size_t n = cp_tally_rows(cores ? c->by_event : c->by_cpu, &t);
	struct cp_index index;
	const char **sort;
	struct cp_word word;

	if (cores && !is_hybrid(c))
		return;
	cp_index_init(&index, c->run);
	for (size_t i = 0; i < n; i++) {
		const char *place = cores ? core_of(c, (uint32_t)t[i].b)
					  : cp_word_id(&word, (uint32_t)t[i].b);

		cp_cpi_row_add(&rows,
		    cp_index_put(&index, cp_run_intern(c->run, place), 0),
		    (unsigned)t[i].a, &t[i]);
	}
	sort = cp_run_alloc(c->run, (rows.n + 1) * sizeof(*sort));
	for (uint32_t i = 0; i < rows.n; i++)
		sort[i] = cp_run_string(c->run, (cp_string_id)index.all[i].a);
	s.ctx = s.sort = sort;
	if (rows.n > 1)
		cp_cpi_rows_show(c, &rows, &s, rep);
}
