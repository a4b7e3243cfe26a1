/* SPDX-License-Identifier: MIT */
/* table: columns and rows; a row is stored, or made while it is written. */
#include "report/table.h"

#include <math.h>
#include <stdarg.h>

#include "report/section.h"

/*
 * Reports that an analysis filled the table wrongly, once a table.  A report
 * without a run is made by coldperf itself, which must not err.
 */
CP_PRINTF(2, 3)
static void
slip(struct cp_table *t, const char *fmt, ...)
{
	char what[120], text[280];
	va_list ap;

	if (t->report->slip == NULL)
		abort();
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(text, sizeof(text), "%s, table %s, row %zu: %s",
	    t->by != NULL ? t->by : t->report->analysis, t->slug, t->rows.len,
	    what);
	if (!t->slipped)
		t->report->slip(t->report->slip_ctx, text);
	t->slipped = true;
}

void
cp_table_columns(
    struct cp_table *t, const struct cp_column_spec *spec, size_t n)
{
	if (t->rows.len != 0)
		slip(t, "columns are added before the first row");
	for (size_t i = 0; i < n && t->rows.len == 0; i++)
		*cp_vec_push(&t->columns) = (struct cp_column){
			.name = cp_report_text(t->report, spec[i].head),
			.key = spec[i].id != NULL
				   ? cp_report_text(t->report, spec[i].id)
				   : NULL,
			.type = spec[i].type,
			.prose = (spec[i].role & CP_COLUMN_PROSE) != 0,
			.minor = (spec[i].role & CP_COLUMN_MINOR) != 0,
		};
}

/* Is the column at that place among those added left out? */
static bool
is_dropped(const struct cp_table *t, size_t place)
{
	return place < 64 && (t->dropped >> place & 1) != 0;
}

/* Returns how many columns left out are before a place. */
static size_t
hidden_at(const struct cp_table *t, size_t place)
{
	return place >= 64 ? t->hidden.len
			   : (size_t)__builtin_popcountll(
				 t->dropped & (((uint64_t)1 << place) - 1));
}

/* Returns the index of the value at a place among those given. */
static size_t
value_at(const struct cp_table *t, size_t place)
{
	return is_dropped(t, place) ? t->columns.len + hidden_at(t, place)
				    : place - hidden_at(t, place);
}

/* Returns a column by the index of its value: those left out come last. */
static const struct cp_column *
column_at(const struct cp_table *t, size_t i)
{
	return i < t->columns.len ? &t->columns.data[i]
				  : &t->hidden.data[i - t->columns.len];
}

void
cp_table_without(struct cp_table *t, const char *head)
{
	size_t place = 0, i, hidden;

	for (i = 0; i < t->columns.len; i++, place++) {
		while (is_dropped(t, place))
			place++;
		if (strcmp(t->columns.data[i].name, head) == 0)
			break;
	}
	if (i == t->columns.len || place >= 64 || t->rows.len != 0) {
		slip(t, "column %s cannot be left out", head);
		return;
	}
	hidden = hidden_at(t, place);
	(void)cp_vec_push(&t->hidden);
	memmove(&t->hidden.data[hidden + 1], &t->hidden.data[hidden],
	    (t->hidden.len - 1 - hidden) * sizeof(t->hidden.data[0]));
	t->hidden.data[hidden] = t->columns.data[i];
	t->dropped |= (uint64_t)1 << place;
	t->columns.len--;
	memmove(&t->columns.data[i], &t->columns.data[i + 1],
	    (t->columns.len - i) * sizeof(t->columns.data[0]));
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
cp_table_check(struct cp_table *t)
{
	size_t columns = t->columns.len + t->hidden.len;

	if (t->rows.len != 0 && t->given < columns)
		slip(t, "%zu values for %zu columns", t->given, columns);
}

void
cp_table_row(struct cp_table *t)
{
	struct cp_row *row;

	cp_table_check(t);
	t->given = 0;
	row = cp_vec_push(&t->rows);
	*row = (struct cp_row){ .at = UINT64_MAX };
	row->values = cp_arena_alloc(&t->report->arena,
	    (t->columns.len + t->hidden.len) * sizeof(*row->values));
}

/* Returns the kind of value that a column of the type holds. */
static enum cp_cell_kind
kind_of(enum cp_column_type type)
{
	switch (type) {
	case CP_COL_TEXT: return CP_CELL_TEXT;
	case CP_COL_COUNT:
	case CP_COL_WEIGHT:
	case CP_COL_TIME:
	case CP_COL_CLOCK:
	case CP_COL_BYTES:
	case CP_COL_ADDRESS: return CP_CELL_U64;
	default: return CP_CELL_NUMBER;
	}
}

/* Takes a cell of the column's type; false: it is of another. */
static bool
take(struct cp_table *t, const struct cp_column *column, struct cp_value *v,
    const struct cp_cell *c)
{
	char id[16] = "-";
	enum cp_cell_kind kind = (enum cp_cell_kind)c->kind;

	if (kind == CP_CELL_ID && c->u64 != CP_NO_ID)
		snprintf(id, sizeof(id), "%" PRIu64, c->u64);
	if (kind == CP_CELL_NONE)
		v->none = true;
	else if ((kind == CP_CELL_ID ? CP_CELL_TEXT : kind) !=
		 kind_of(column->type))
		return false;
	else if (kind == CP_CELL_ID)
		v->text = cp_report_text(t->report, id);
	else if (kind == CP_CELL_TEXT)
		v->text =
		    cp_report_text(t->report, c->text != NULL ? c->text : "");
	else if (kind == CP_CELL_U64)
		v->u64 = c->u64;
	else
		*v = (struct cp_value){ .value = c->number,
			.lo = c->lo,
			.hi = c->hi,
			.none =
			    column->type == CP_COL_NUMBER && isnan(c->number) };
	return true;
}

void
cp_table_put(struct cp_table *t, const struct cp_cell *cells)
{
	static const char *const words[] = { "", "text", "id", "integer",
		"number", "" };
	struct cp_row *row =
	    t->rows.len != 0 ? &t->rows.data[t->rows.len - 1] : NULL;

	for (unsigned i = 0; cells[i].kind != CP_CELL_END; i++) {
		const struct cp_column *column;
		struct cp_value *v;
		size_t at;

		if (row == NULL || i == CP_CELLS_MOST) {
			slip(t, row == NULL ? "values before the first row"
					    : "too many values in one call");
			return;
		}
		if (t->given >= t->columns.len + t->hidden.len) {
			slip(t, "more values than the %zu columns", t->given);
			return;
		}
		at = value_at(t, t->given++);
		row->filled += at < t->columns.len;
		column = column_at(t, at);
		v = &row->values[at];
		if (!take(t, column, v, &cells[i])) {
			v->none = true;
			slip(t, "column %s takes no %s", column->name,
			    words[cells[i].kind]);
		}
	}
}

struct cp_cell
cp_cell_id(uint64_t id)
{
	struct cp_cell c = cp_cell_u64(id);

	c.kind = CP_CELL_ID;
	return c;
}

struct cp_cell
cp_cell_none(void)
{
	return (struct cp_cell){ .kind = CP_CELL_NONE };
}

/* Returns the index of the column with that head. */
static uint32_t
column_of(struct cp_table *t, const char *head)
{
	for (uint32_t i = 0; i < t->columns.len + t->hidden.len; i++)
		if (strcmp(column_at(t, i)->name, head) == 0)
			return i;
	slip(t, "there is no column %s", head);
	return 0;
}

void
cp_table_sort(struct cp_table *t, const char *head)
{
	*cp_vec_push(&t->sorts) = column_of(t, head);
}

void
cp_table_top(struct cp_table *t, uint64_t n, const char *weight)
{
	t->top = (size_t)n;
	t->weighed = weight != NULL ? column_of(t, weight) + 1 : 0;
}

struct sorted {
	const struct cp_table *table;
	struct cp_row row;
	size_t place; /* in the order of adding */
};

static int
compare_rows(const void *va, const void *vb)
{
	const struct sorted *a = va, *b = vb;
	const struct cp_table *t = a->table;
	int c = 0;

	for (size_t i = 0; c == 0 && i < t->sorts.len; i++) {
		uint32_t k = t->sorts.data[i];
		const struct cp_value *x = &a->row.values[k];
		const struct cp_value *y = &b->row.values[k];

		switch (kind_of(column_at(t, k)->type)) {
		case CP_CELL_TEXT:
			c = strcmp(
			    x->none ? "" : x->text, y->none ? "" : y->text);
			break;
		case CP_CELL_U64:
			c = (x->u64 < y->u64) - (x->u64 > y->u64);
			break;
		default: c = (x->value < y->value) - (x->value > y->value);
		}
	}
	return c != 0 ? c : (a->place > b->place) - (a->place < b->place);
}

void
cp_table_finish(struct cp_table *t)
{
	size_t n = t->rows.len;
	struct sorted *rows;

	cp_table_check(t);
	if (t->sorts.len != 0 && n != 0) {
		rows = cp_xmalloc(n * sizeof(*rows));
		for (size_t i = 0; i < n; i++)
			rows[i] = (struct sorted){ t, t->rows.data[i], i };
		qsort(rows, n, sizeof(*rows), compare_rows);
		for (size_t i = 0; i < n; i++)
			t->rows.data[i] = rows[i].row;
		free(rows);
	}
	if (t->top == 0 || n <= t->top)
		return;
	t->rest_rows = n - t->top;
	for (size_t i = t->top; t->weighed != 0 && i < n; i++)
		t->rest_weight += t->rows.data[i].values[t->weighed - 1].u64;
	t->rows.len = t->top;
}

void
cp_table_rest(struct cp_table *t, uint64_t rows, uint64_t weight)
{
	t->rest_rows = rows;
	t->rest_weight = weight;
}

void
cp_table_whole(struct cp_table *t, uint64_t weight)
{
	t->whole = weight;
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
	m->table.hidden.data = t->hidden.data;
	m->table.hidden.len = t->hidden.len;
	m->table.dropped = t->dropped;
	m->table.by = t->by;
	m->table.slug = t->slug;
	m->report.slip = t->report->slip;
	m->report.slip_ctx = t->report->slip_ctx;
	m->fn(m->ctx, &m->table, row);
	cp_table_check(&m->table);
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
	cp_vec_free(&t->hidden);
	cp_vec_free(&t->sorts);
	if (m == NULL)
		return;
	cp_vec_free(&m->table.rows);
	cp_arena_free(&m->report.arena);
}
