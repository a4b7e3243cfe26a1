/* SPDX-License-Identifier: MIT */
/* The tables of mem. */
#include "analyses/mem/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/code-groups.h"
#include "analyses/common/label.h"
#include "analyses/common/ratio.h"

/* Adds a table; without what the processor does not report. */
static struct cp_table *
table_new(const struct cp_mem *m, struct cp_report *rep, const char *slug,
    const char *title, const struct cp_column_spec *columns, size_t n)
{
	struct cp_table *t = cp_report_table(rep, slug, title, columns, n);

	cp_table_without(t, m->timed ? "Share" : "Latency");
	if (!m->timed)
		cp_table_without(t, "Mean");
	return t;
}
#define SUM_COLUMNS                                                            \
	CP_SHARE("Latency"), CP_SHARE("Share"), CP_COUNT("Accesses"),          \
	    CP_RATE("Mean")
#define SHARED_COLUMNS SUM_COLUMNS, CP_COUNT("HITM"), CP_COUNT("Peer")

static struct cp_ratio
mean_latency(const struct cp_mem_sum *s)
{
	double n = (double)s->timed, sum = (double)s->latency, mean = sum / n;
	double variance = (s->latency_sq - sum * mean) / (n - 1);
	struct cp_ratio alone = { mean, 1, 0 };

	if (s->timed < CP_RATIO_LEAST)
		return alone;
	return cp_ratio_around(
	    mean, variance > 0 ? sqrt(variance / n) / mean : 0, n);
}

static void
cells(const struct cp_mem *m, struct cp_table *t, const struct cp_mem_sum *s)
{
	struct cp_cell share =
	    cp_cell_share((struct cp_mass){ s->latency, s->latency_sq },
		(struct cp_whole){
		    .mass = { m->whole.latency, m->whole.latency_sq },
		    .dispersion = m->dispersion });

	cp_table_add(t, share, share, s->n, cp_ratio_cell(mean_latency(s)));
}

static void
tally_sum(const struct cp_mem *m, struct cp_mem_sum *s,
    const struct cp_tally_row *row, unsigned flags)
{
	cp_mem_sum_add(s, row->count, cp_mem_weight(m, row),
	    m->timed ? row->weight_sq : (double)row->count, flags);
}

/* A row of any table, to be sorted. */
struct ranked {
	const struct cp_mem_sum *sum;
	const char *label;
	uint32_t i;
	bool by_hitm;
	uint64_t addr; /* of a line */
};

static int
descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
compare_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	int c = 0;

	if (a->by_hitm)
		c = descending(
		    a->sum->hitm + a->sum->peer, b->sum->hitm + b->sum->peer);
	if (c == 0)
		c = descending(a->sum->latency, b->sum->latency);
	if (c == 0)
		c = descending(a->sum->n, b->sum->n);
	if (c == 0 && a->label != NULL && b->label != NULL)
		c = strcmp(a->label, b->label);
	if (c == 0)
		c = (a->addr > b->addr) - (a->addr < b->addr);
	return c != 0 ? c : (a->i > b->i) - (a->i < b->i);
}

static void
rest(struct cp_table *t, const struct ranked *r, uint32_t from, uint32_t n)
{
	uint64_t weight = 0;

	for (uint32_t i = from; i < n; i++)
		weight += r[i].sum->latency;
	if (from < n)
		cp_table_rest(t, n - from, weight);
}

typedef const char *(*word_fn)(struct cp_memword *, uint64_t);

static const char *
operation(struct cp_memword *w, uint64_t source)
{
	snprintf(w->text, sizeof(w->text), "%s%s%s",
	    cp_mem_is_locked(source) ? "locked " : "",
	    cp_mem_is_load(source)    ? "load"
	    : cp_mem_is_store(source) ? "store"
				      : "other",
	    cp_mem_is_load(source) && cp_mem_is_store(source) ? "+store" : "");
	return w->text;
}

static void
words_show(struct cp_mem *m, struct cp_report *rep, const char *slug,
    const char *title, const char *column, word_fn word)
{
	const struct cp_column_spec columns[] = { SUM_COLUMNS,
		CP_TEXT(column) };
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_source, &rows);
	struct ranked *r = cp_run_alloc(m->run, (n + 1) * sizeof(*r));
	struct cp_mem_sum *sums = cp_run_alloc(m->run, (n + 1) * sizeof(*sums));
	struct cp_table *t =
	    table_new(m, rep, slug, title, CP_COLUMNS(columns));
	struct cp_memword w;
	struct cp_index index;

	cp_index_init(&index, m->run);
	for (size_t i = 0; i < n; i++) {
		cp_string_id text = cp_run_intern(m->run, word(&w, rows[i].a));
		uint32_t at = cp_index_put(&index, text, 0);

		r[at] = (struct ranked){ &sums[at], cp_run_string(m->run, text),
			at, false, 0 };
		tally_sum(m, &sums[at], &rows[i], (unsigned)rows[i].b);
	}
	qsort(r, index.n, sizeof(*r), compare_ranked);
	for (uint32_t i = 0; i < index.n; i++) {
		cells(m, t, r[i].sum);
		cp_table_cells(t, r[i].label);
	}
}

/* Only some processors report peers, and those report no HITM. */
static struct cp_table *
shared_table(const struct cp_mem *m, struct cp_report *rep, const char *slug,
    const char *title)
{
	static const struct cp_column_spec columns[] = { SHARED_COLUMNS,
		CP_TEXT("Object"), CP_TEXT("Symbol") };
	struct cp_table *t =
	    table_new(m, rep, slug, title, CP_COLUMNS(columns));

	if (m->whole.peer == 0)
		cp_table_without(t, "Peer");
	return t;
}

/* frame_of: converts b of a tally row to a frame. */
static void
entities_show(struct cp_mem *m, struct cp_table *t, struct cp_entities *e,
    const struct cp_tally_row *rows, size_t n, bool stacks)
{
	/* There are no more entities than rows. */
	struct cp_mem_sum *sums = cp_run_alloc(m->run, (n + 1) * sizeof(*sums));
	struct ranked *r = cp_run_alloc(m->run, (n + 1) * sizeof(*r));
	struct cp_word word;
	uint32_t i;

	for (size_t k = 0; k < n; k++) {
		cp_frame_id f =
		    stacks ? cp_stack_frame(m->run, (cp_stack_id)rows[k].b)
			   : (cp_frame_id)rows[k].b;

		tally_sum(m, &sums[cp_entities_of(e, f)], &rows[k],
		    (unsigned)rows[k].a);
	}
	for (i = 0; i < e->n; i++)
		r[i] = (struct ranked){ &sums[i],
			cp_run_string(
			    m->run, cp_run_intern(m->run,
					cp_entity_name(&e->all[i], &word))),
			i, false, 0 };
	qsort(r, e->n, sizeof(*r), compare_ranked);
	for (i = 0; i < e->n && (m->top == 0 || i < m->top); i++) {
		cells(m, t, r[i].sum);
		cp_table_cells(t, r[i].sum->hitm, r[i].sum->peer,
		    cp_word_object(m->run, e->all[r[i].i].dso), r[i].label);
	}
	rest(t, r, i, e->n);
}

static void
code_show(struct cp_mem *m, struct cp_report *rep)
{
	struct cp_table *t = shared_table(m, rep, "symbols", "By code");
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_code, &rows);
	struct cp_entities e;
	struct cp_paths paths;

	cp_paths_build(&paths, m->run, rows, n);
	cp_rows_name(m->run, rows, n);
	cp_entities_init(&e, m->run, paths.frames, true, true);
	entities_show(m, t, &e, rows, n, true);
}

/* Data without a symbol is told by its object only. */
static void
data_show(struct cp_mem *m, struct cp_report *rep)
{
	struct cp_table *t = shared_table(m, rep, "data", "By data");
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_data, &rows), objects;
	struct ranked *r;
	struct cp_mem_sum *sums;
	struct cp_index index;
	uint32_t i;

	cp_index_init(&index, m->run);
	sums = cp_run_alloc(m->run, (n + 1) * sizeof(*sums));
	r = cp_run_alloc(m->run, (n + 1) * sizeof(*r));
	for (objects = 0; objects < n; objects++) {
		const struct cp_tally_row *row = &rows[objects];
		const struct cp_symbol *sym =
		    cp_frame_symbol(m->run, (cp_frame_id)row->b);
		uint32_t dso = cp_frame_get(m->run, (cp_frame_id)row->b)->dso;

		/*
		 * Objects are joined by name, because each process has its own
		 * anonymous object.
		 */
		i = cp_index_put(&index,
		    cp_run_intern(m->run, cp_word_object(m->run, dso)),
		    sym != NULL ? sym->id : 0);
		tally_sum(m, &sums[i], row, (unsigned)row->a);
		r[i] = (struct ranked){ &sums[i], sym != NULL ? sym->name : "-",
			i, false, 0 };
	}
	qsort(r, index.n, sizeof(*r), compare_ranked);
	for (i = 0; i < index.n && (m->top == 0 || i < m->top); i++) {
		cells(m, t, r[i].sum);
		cp_table_cells(t, r[i].sum->hitm, r[i].sum->peer,
		    cp_run_string(m->run, (cp_string_id)index.all[r[i].i].a),
		    r[i].label);
	}
	rest(t, r, i, index.n);
}

enum {
	PLACE_SIZE = 600,
	CODES = 3 /* of a line that are shown */
};

/* "symbol+0x10", "object+0x10" or the address. */
static const char *
place(const struct cp_mem *m, char *text, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_frame_symbol(m->run, id);
	const struct cp_frame *f = cp_frame_get(m->run, id);
	const struct cp_dso *dso = cp_run_dso(m->run, f->dso);
	struct cp_word word;

	if (sym != NULL)
		snprintf(text, PLACE_SIZE, "%.500s+0x%" PRIx64, sym->name,
		    f->addr - sym->start);
	else if (dso != NULL)
		snprintf(text, PLACE_SIZE, "%.500s+0x%" PRIx64,
		    cp_run_string(m->run, dso->short_name), f->addr);
	else
		snprintf(text, PLACE_SIZE, "%s",
		    id != 0 ? cp_word_address(&word, f->addr) : "-");
	return text;
}

static int
compare_accesses(const void *va, const void *vb)
{
	const struct cp_mem_access *a = va, *b = vb;
	int c = (a->line > b->line) - (a->line < b->line);

	if (c == 0)
		c = descending(a->n, b->n);
	if (c == 0)
		c = (a->offset > b->offset) - (a->offset < b->offset);
	return c != 0 ? c : (a->place > b->place) - (a->place < b->place);
}

/* Returns the index of a line's first access; accesses are sorted. */
static uint32_t
first_access(const struct cp_mem *m, uint32_t line)
{
	uint32_t lo = 0, hi = m->accesses.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->access[mid].line < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* "read+0x10 on 0x8: 60 %, write+0x4 on 0x20: 30 %, 2 others" */
static void
code_cell(const struct cp_mem *m, struct cp_table *t, uint32_t line)
{
	uint32_t first = first_access(m, line), i;
	char all[CODES * (PLACE_SIZE + 60)], text[PLACE_SIZE];
	struct cp_word share;
	size_t len = 0;

	for (i = first; i < m->accesses.n && m->access[i].line == line; i++)
		if (i - first < CODES)
			len += (size_t)snprintf(all + len, sizeof(all) - len,
			    "%s%s on 0x%" PRIx32 ": %s", len != 0 ? ", " : "",
			    place(m, text, m->access[i].code),
			    m->access[i].offset,
			    cp_word_percent(&share, (double)m->access[i].n,
				(double)m->line[line].sum.n));
	if (i - first > CODES)
		snprintf(all + len, sizeof(all) - len, ", %" PRIu32 " other%s",
		    i - first - CODES, cp_word_s(i - first - CODES));
	cp_table_cells(t, all);
}

static void
line_show(const struct cp_mem *m, struct cp_table *t, uint32_t line)
{
	const struct cp_mem_line *l = &m->line[line];
	char text[PLACE_SIZE];

	cells(m, t, &l->sum);
	cp_table_cells(t, l->sum.hitm, l->sum.peer, l->sum.remote, l->sum.loads,
	    l->sum.stores, l->threads, l->cpus, l->addr,
	    place(m, text, l->data));
	code_cell(m, t, line);
}

/* True if several threads used the line and one of them changed it. */
static bool
is_shared(const struct cp_mem_line *l)
{
	return l->sum.hitm + l->sum.peer != 0 ||
	       (l->threads > 1 && l->sum.stores != 0);
}

static void
lines_show(struct cp_mem *m, struct cp_report *rep, bool shared)
{
	static const struct cp_column_spec columns[] = { SHARED_COLUMNS,
		CP_COUNT("Remote"), CP_COUNT("Loads"), CP_COUNT("Stores"),
		CP_COUNT("Threads"), CP_COUNT("CPUs"), CP_ADDRESS("Line"),
		CP_TEXT("Data"), CP_PROSE("Code") };
	struct ranked *r =
	    cp_run_alloc(m->run, ((size_t)m->lines.n + 1) * sizeof(*r));
	struct cp_table *t =
	    shared
		? table_new(m, rep, "shared",
		      "Lines shared between threads: HITM first",
		      CP_COLUMNS(columns))
		: table_new(m, rep, "lines", "Hot lines", CP_COLUMNS(columns));
	uint32_t n = 0, i;

	for (i = 0; i < m->lines.n; i++)
		if (!shared || is_shared(&m->line[i]))
			r[n++] = (struct ranked){ &m->line[i].sum, NULL, i,
				shared, m->line[i].addr };
	qsort(r, n, sizeof(*r), compare_ranked);
	if (m->whole.peer == 0)
		cp_table_without(t, "Peer");
	/* Threads and CPUs that were not recorded are no number. */
	if (m->tids.n == 0)
		cp_table_without(t, "Threads");
	if (m->cpus.n == 0)
		cp_table_without(t, "CPUs");
	for (i = 0; i < n && (m->top == 0 || i < m->top); i++)
		line_show(m, t, r[i].i);
	rest(t, r, i, n);
}

static void
lines_name(struct cp_mem *m)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(m->by_data, &rows);
	cp_frame_id *frames =
	    cp_run_alloc(m->run, (n + m->accesses.n + 1) * sizeof(*frames));

	for (size_t i = 0; i < n; i++)
		frames[i] = (cp_frame_id)rows[i].b;
	for (uint32_t i = 0; i < m->accesses.n; i++)
		frames[n++] = m->access[i].code;
	cp_run_name_frames(m->run, frames, n);
}

static void
whole_show(const struct cp_mem *m, struct cp_report *rep)
{
	struct cp_ratio r = mean_latency(&m->whole);

	cp_report_scalar(rep, "memory", "accesses", CP_COL_COUNT, m->whole.n);
	cp_report_scalar(rep, "memory", "loads", CP_COL_COUNT, m->whole.loads);
	cp_report_scalar(
	    rep, "memory", "stores", CP_COL_COUNT, m->whole.stores);
	cp_report_scalar(rep, "memory", "hitm", CP_COL_COUNT, m->whole.hitm);
	if (m->whole.peer != 0)
		cp_report_scalar(
		    rep, "memory", "peer", CP_COL_COUNT, m->whole.peer);
	if (m->timed)
		cp_report_scalar_value(rep, "memory", "mean latency, cycles",
		    CP_COL_RATE, r.value, r.lo, r.hi);
}

void
cp_mem_tables(struct cp_mem *m, struct cp_report *rep)
{
	if (m->sourced)
		whole_show(m, rep);
	words_show(
	    m, rep, "levels", "Where the data was", "Source", cp_mem_level);
	if (m->sourced) {
		words_show(m, rep, "snoops", "What other caches said", "Snoop",
		    cp_mem_snoop);
		words_show(m, rep, "tlb", "Translation", "TLB", cp_mem_tlb);
		words_show(
		    m, rep, "operations", "Operations", "Operation", operation);
		code_show(m, rep);
	}
	if (m->located) {
		lines_name(m);
		for (uint32_t i = 0; i < m->accesses.n; i++)
			m->access[i].place =
			    cp_frame_get(m->run, m->access[i].code)->addr;
		/* After the sort the numbers of the index are invalid. */
		qsort(m->access, m->accesses.n, sizeof(*m->access),
		    compare_accesses);
		data_show(m, rep);
		lines_show(m, rep, false);
		lines_show(m, rep, true);
	}
}
