/* SPDX-License-Identifier: MIT */
/*
 * vtab: virtual tables over the rows of a profile.
 *
 * A table exists without CREATE and cannot be written.  A query for one id
 * reads that row only; otherwise SQLite reads all rows and chooses.
 */
#include "base/base.h"
#include "sql/libsqlite.h"
#include "sql/module.h"
#include "sql/tables.h"

struct table {
	sqlite3_vtab base;
	const struct cp_sql_table *def;
	struct cp_sql_data *data;
};

struct cursor {
	sqlite3_vtab_cursor base;
	size_t row, end;
};

struct module {
	const struct cp_sql_table *def;
	struct cp_sql_data *data;
};

enum { ALL, BY_ID, BY_PARENT };

static int
connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **out, char **error)
{
	const struct module *m = aux;
	int status =
	    cp_sql_connect(db, m->def->columns, sizeof(struct table), out);

	(void)argc, (void)argv, (void)error;
	if (status == SQLITE_OK) {
		((struct table *)*out)->def = m->def;
		((struct table *)*out)->data = m->data;
	}
	return status;
}

/* Returns how a constraint can speed up the search. */
static int
served(const struct cp_sql_table *def, const struct sqlite3_index_constraint *c)
{
	if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ)
		return ALL;
	if (c->iColumn == def->id && def->id >= 0)
		return BY_ID;
	return c->iColumn == def->parent && def->parent >= 0 ? BY_PARENT : ALL;
}

static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct table *t = (const struct table *)base;
	size_t rows = t->def->rows(t->data);

	info->idxNum = ALL;
	info->estimatedRows = (sqlite3_int64)rows + 1;
	info->estimatedCost = (double)rows + 10;
	for (int i = 0; i < info->nConstraint; i++) {
		int how = served(t->def, &info->aConstraint[i]);

		if (how == ALL || info->idxNum == BY_ID)
			continue;
		for (int k = 0; k < info->nConstraint; k++)
			info->aConstraintUsage[k].argvIndex = 0;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = how;
		info->estimatedRows = how == BY_ID ? 1 : 3;
		info->estimatedCost = how == BY_ID ? 1 : 3;
	}
	if (info->idxNum == BY_ID)
		info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	return SQLITE_OK;
}

static int
open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	(void)t;
	return cp_sql_open_cursor(sizeof(struct cursor), out);
}

/* False: no row has such a number. */
static bool
number_of(sqlite3_value *v, uint64_t *out)
{
	int type = cp_sqlite.value_numeric_type(v);
	sqlite3_int64 n = cp_sqlite.value_int64(v);

	*out = (uint64_t)n;
	return n >= 0 && (type == SQLITE_INTEGER ||
			     (type == SQLITE_FLOAT &&
				 cp_sqlite.value_double(v) == (double)n));
}

static int
filter(sqlite3_vtab_cursor *base, int how, const char *name, int argc,
    sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;
	const struct table *t = (const struct table *)base->pVtab;
	size_t rows = t->def->rows(t->data);
	uint64_t v;

	(void)name, (void)argc;
	c->row = t->def->first;
	c->end = rows;
	if (how == ALL)
		return SQLITE_OK;
	c->end = c->row;
	if (!number_of(argv[0], &v))
		return SQLITE_OK;
	if (how == BY_PARENT) {
		t->def->range(t->data, v, &c->row, &c->end);
	} else if (v >= t->def->first && v < rows) {
		c->row = (size_t)v;
		c->end = c->row + 1;
	}
	return SQLITE_OK;
}

static int
next(sqlite3_vtab_cursor *c)
{
	((struct cursor *)c)->row++;
	return SQLITE_OK;
}

static int
at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;

	return c->row >= c->end;
}

static int
column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i)
{
	const struct table *t = (const struct table *)base->pVtab;

	t->def->put(ctx, t->data, ((const struct cursor *)base)->row, i);
	return SQLITE_OK;
}

static int
rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = (sqlite3_int64)((const struct cursor *)base)->row;
	return SQLITE_OK;
}

static const sqlite3_module methods = {
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = cp_sql_disconnect,
	.xDestroy = cp_sql_disconnect,
	.xOpen = open_cursor,
	.xClose = cp_sql_close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = at_end,
	.xColumn = column,
	.xRowid = rowid,
};

int
cp_sql_add_tables(sqlite3 *db, struct cp_sql_data *data)
{
	int status = SQLITE_OK;

	for (const struct cp_sql_table *def = cp_sql_tables;
	     def->name != NULL && status == SQLITE_OK; def++) {
		struct module *m = cp_xmalloc(sizeof(*m));

		*m = (struct module){ def, data };
		status = cp_sqlite.create_module_v2(
		    db, def->name, &methods, m, free);
	}
	return status;
}
