/* SPDX-License-Identifier: MIT */
/* table: columns and rows; a row is stored, or made while it is written. */
#include "report/table.h"

#include <math.h>

#include "report/section.h"

void
cp_table_column(struct cp_table *t, const char *name, enum cp_column_type type)
{
	*cp_vec_push(&t->columns) =
	    (struct cp_column){ .name = cp_report_text(t->report, name),
		    .type = type };
}

void
cp_table_key(struct cp_table *t, const char *key)
{
	t->columns.data[t->columns.len - 1].key =
	    cp_report_text(t->report, key);
}

void
cp_table_event(struct cp_table *t, const char *event)
{
	t->event = cp_report_text(t->report, event);
}

void
cp_table_listing(struct cp_table *t)
{
	t->listing = true;
}

void
cp_table_data(struct cp_table *t)
{
	t->data = true;
}

void
cp_table_prose(struct cp_table *t)
{
	t->columns.data[t->columns.len - 1].prose = true;
}

void
cp_table_minor(struct cp_table *t)
{
	t->columns.data[t->columns.len - 1].minor = true;
}

void
cp_table_row(struct cp_table *t)
{
	struct cp_row *row = cp_vec_push(&t->rows);

	*row = (struct cp_row){ .at = UINT64_MAX };
	row->values = cp_arena_alloc(
	    &t->report->arena, t->columns.len * sizeof(*row->values));
}

static struct cp_value *
table_next(struct cp_table *t)
{
	struct cp_row *row = &t->rows.data[t->rows.len - 1];

	if (row->filled >= t->columns.len)
		abort(); /* the analysis gave more values than columns */
	return &row->values[row->filled++];
}

void
cp_table_text(struct cp_table *t, const char *text)
{
	table_next(t)->text = cp_report_text(t->report, text);
}

void
cp_table_u64(struct cp_table *t, uint64_t v)
{
	table_next(t)->u64 = v;
}

void
cp_table_value(struct cp_table *t, double value, double lo, double hi)
{
	struct cp_value *v = table_next(t);
	size_t column = t->rows.data[t->rows.len - 1].filled - 1;

	v->value = value;
	v->lo = lo;
	v->hi = hi;
	v->none = t->columns.data[column].type == CP_COL_NUMBER && isnan(value);
}

void
cp_table_nothing(struct cp_table *t)
{
	table_next(t)->none = true;
}

void
cp_table_rest(struct cp_table *t, uint64_t rows, uint64_t weight)
{
	t->rest_rows = rows;
	t->rest_weight = weight;
}

void
cp_table_brief(struct cp_table *t, size_t n)
{
	t->brief_rows = n;
}

void
cp_table_indent(struct cp_table *t, unsigned depth)
{
	t->rows.data[t->rows.len - 1].depth = depth;
}

void
cp_table_at_code(struct cp_table *t, uint64_t addr)
{
	t->rows.data[t->rows.len - 1].at = addr;
}

void
cp_table_in_object(struct cp_table *t, uint32_t dso)
{
	t->rows.data[t->rows.len - 1].object = dso;
}

/* -------------------------------------------------- rows made when written */

/* Generated rows live in a table of their own, cleared now and then. */
enum { MADE_ROWS = 256 };

struct cp_made_rows {
	size_t n;
	cp_row_fn fn;
	void *ctx;
	struct cp_table table;
	struct cp_report report;
	cp_text_fn change; /* of the texts; NULL: none */
	void *change_ctx;
};

void
cp_table_rows(struct cp_table *t, uint64_t n, cp_row_fn fn, void *ctx)
{
	struct cp_made_rows *m = cp_arena_alloc(&t->report->arena, sizeof(*m));

	m->n = (size_t)n;
	m->fn = fn;
	m->ctx = ctx;
	m->table.report = &m->report;
	t->made = m;
}

void
cp_table_made_texts(struct cp_table *t, cp_text_fn fn, void *ctx)
{
	t->made->change = fn;
	t->made->change_ctx = ctx;
}

size_t
cp_table_len(const struct cp_table *t)
{
	return t->made != NULL ? t->made->n : t->rows.len;
}

const struct cp_row *
cp_table_at(const struct cp_table *t, size_t row)
{
	struct cp_made_rows *m = t->made;
	struct cp_row *made;

	if (m == NULL)
		return &t->rows.data[row];
	if (m->table.rows.len == MADE_ROWS) {
		m->table.rows.len = 0;
		cp_arena_free(&m->report.arena);
	}
	m->table.columns.data = t->columns.data;
	m->table.columns.len = t->columns.len;
	m->fn(m->ctx, &m->table, row);
	made = &m->table.rows.data[m->table.rows.len - 1];
	for (uint32_t i = 0; m->change != NULL && i < made->filled; i++)
		if (t->columns.data[i].type == CP_COL_TEXT &&
		    made->values[i].text != NULL)
			made->values[i].text =
			    m->change(m->change_ctx, made->values[i].text);
	return made;
}

void
cp_table_free(struct cp_table *t)
{
	struct cp_made_rows *m = t->made;

	cp_vec_free(&t->columns);
	cp_vec_free(&t->rows);
	if (m == NULL)
		return;
	cp_vec_free(&m->table.rows);
	cp_arena_free(&m->report.arena);
}
