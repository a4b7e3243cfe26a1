/* SPDX-License-Identifier: MIT */
/*
 * answer: the rows of a query as a table of a report.
 *
 * In SQLite a value has a type, in a report a column has.  So rows are kept
 * until all have come: a column of whole numbers becomes a column of counts,
 * one with other numbers a column of numbers, and any other a column of text.
 */
#include <math.h>
#include <string.h>

#include "sql/database.h"
#include "sql/libsqlite.h"

struct value {
	int type; /* SQLITE_INTEGER ... */
	sqlite3_int64 integer;
	double real;
	const char *text;
};

struct answer {
	struct cp_report *report; /* owns texts */
	sqlite3_stmt *stmt;
	int columns;
	CP_VEC(struct value) values; /* row by row */
	size_t bytes;                /* of their texts */
};

/* Beyond this a double cannot hold every whole number. */
#define EXACT ((sqlite3_int64)1 << 53)

static const char *
blob_text(struct cp_report *r, const unsigned char *p, int n)
{
	char *text = cp_arena_alloc(&r->arena, 2 * (size_t)n + 1);

	text[0] = '\0';
	for (int i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	return text;
}

static struct value
value_of(struct answer *a, int i)
{
	struct value v = { .type = cp_sqlite.column_type(a->stmt, i) };

	if (v.type == SQLITE_INTEGER) {
		v.integer = cp_sqlite.column_int64(a->stmt, i);
	} else if (v.type == SQLITE_FLOAT) {
		v.real = cp_sqlite.column_double(a->stmt, i);
	} else if (v.type == SQLITE_BLOB) {
		int n = cp_sqlite.column_bytes(a->stmt, i);

		v.text =
		    blob_text(a->report, cp_sqlite.column_blob(a->stmt, i), n);
	} else if (v.type == SQLITE_TEXT) {
		const unsigned char *text = cp_sqlite.column_text(a->stmt, i);

		v.text = cp_arena_strndup(&a->report->arena,
		    text != NULL ? (const char *)text : "",
		    text != NULL ? strlen((const char *)text) : 0);
	}
	a->bytes += v.text != NULL ? strlen(v.text) : 0;
	return v;
}

static bool
is_full(const struct cp_sql *s, const struct answer *a)
{
	return a->values.len + (size_t)a->columns > s->limits.values ||
	       a->bytes > s->limits.bytes;
}

static enum cp_column_type
worst_type(enum cp_column_type type, const struct value *v)
{
	if (v->type == SQLITE_NULL || type == CP_COL_TEXT)
		return type;
	if (v->type == SQLITE_INTEGER && v->integer >= 0)
		return type;
	if (v->type == SQLITE_INTEGER && v->integer > -EXACT)
		return CP_COL_NUMBER;
	return v->type == SQLITE_FLOAT ? CP_COL_NUMBER : CP_COL_TEXT;
}

static enum cp_column_type
column_type(const struct answer *a, int i)
{
	enum cp_column_type type = CP_COL_COUNT;
	bool any = false, large = false;

	for (size_t k = (size_t)i; k < a->values.len; k += (size_t)a->columns) {
		const struct value *v = &a->values.data[k];

		type = worst_type(type, v);
		any |= v->type != SQLITE_NULL;
		large |= v->type == SQLITE_INTEGER && v->integer > EXACT;
	}
	return !any || (type == CP_COL_NUMBER && large) ? CP_COL_TEXT : type;
}

static void
put_text(struct cp_table *t, const struct value *v)
{
	char text[32] = "";

	if (v->type == SQLITE_INTEGER)
		snprintf(text, sizeof(text), "%lld", (long long)v->integer);
	else if (v->type == SQLITE_FLOAT)
		snprintf(text, sizeof(text), "%.15g", v->real);
	cp_table_cells(t, v->text != NULL ? v->text : text);
}

static void
put(struct cp_table *t, enum cp_column_type type, const struct value *v)
{
	if (v->type == SQLITE_NULL)
		cp_table_cells(t, cp_cell_none());
	else if (type == CP_COL_TEXT)
		put_text(t, v);
	else if (type == CP_COL_COUNT)
		cp_table_cells(t, (uint64_t)v->integer);
	else
		cp_table_cells(
		    t, v->type == SQLITE_FLOAT ? v->real : (double)v->integer);
}

static void
show(struct answer *a)
{
	struct cp_table *t =
	    cp_report_table(a->report, "answer", "Answer", NULL, 0);

	for (int i = 0; i < a->columns; i++) {
		const char *name = cp_sqlite.column_name(a->stmt, i);

		cp_table_column(t, CP_COLUMN(name != NULL ? name : "",
				       column_type(a, i), 0, NULL));
	}
	for (size_t k = 0; k < a->values.len; k++) {
		size_t i = k % (size_t)a->columns;

		if (i == 0)
			cp_table_row(t);
		put(t, t->columns.data[i].type, &a->values.data[k]);
	}
}

/* Reads all rows; returns SQLITE_DONE, SQLITE_ROW at the limit, or an error. */
static int
read_rows(struct cp_sql *s, struct answer *a)
{
	int status;

	while ((status = cp_sqlite.step(a->stmt)) == SQLITE_ROW) {
		if (is_full(s, a))
			break;
		for (int i = 0; i < a->columns; i++)
			*cp_vec_push(&a->values) = value_of(a, i);
	}
	return status;
}

static const char *
error_of(struct cp_sql *s, int status)
{
	if (s->late)
		snprintf(s->error, sizeof(s->error),
		    "the query was ended after %u s", s->limits.seconds);
	else if (status == SQLITE_AUTH)
		snprintf(s->error, sizeof(s->error),
		    "a query can only read (%s)", cp_sqlite.errmsg(s->db));
	else if (status == SQLITE_NOMEM)
		snprintf(s->error, sizeof(s->error),
		    "the query needs too much memory");
	else
		snprintf(
		    s->error, sizeof(s->error), "%s", cp_sqlite.errmsg(s->db));
	return s->error;
}

static bool
ask(struct cp_sql *s, struct answer *a, const char **error, bool *cut)
{
	int status;

	a->columns = cp_sqlite.column_count(a->stmt);
	if (a->columns == 0) {
		*error = "this gives no rows; ask with SELECT";
		return false;
	}
	status = read_rows(s, a);
	*cut = status == SQLITE_ROW || status == SQLITE_NOMEM || s->late;
	if (status != SQLITE_ROW && status != SQLITE_DONE) {
		*error = error_of(s, status);
		return false;
	}
	show(a);
	return true;
}

bool
cp_sql_ask(struct cp_sql *s, const char *query, struct cp_report *r,
    const char **error, bool *cut)
{
	struct answer a = { .report = r };
	const char *rest = query;
	bool done = false;
	int status;

	*cut = false;
	cp_sql_start_clock(s);
	status = cp_sqlite.prepare_v2(s->db, query, -1, &a.stmt, &rest);
	if (status != SQLITE_OK)
		*error = error_of(s, status);
	else if (a.stmt == NULL)
		*error = "this is no query";
	else if (rest[strspn(rest, " \t\r\n;")] != '\0')
		*error = "one query at a time";
	else
		done = ask(s, &a, error, cut);
	cp_sqlite.finalize(a.stmt);
	cp_vec_free(&a.values);
	return done;
}
