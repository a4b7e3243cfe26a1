/* SPDX-License-Identifier: MIT */
/*
 * paths: the table stack_functions, which lists the functions of a stack.
 *
 * Depth 0 is the innermost.  Functions inlined at a frame have rows of their
 * own.  A query for depth 0 alone reads no callers.
 */
#include "base/base.h"
#include "sql/libsqlite.h"
#include "sql/module.h"
#include "sql/tables.h"
#include "sql/values.h"

struct table {
	sqlite3_vtab base;
	struct cp_sql_data *data;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct cp_profile *profile;
	uint32_t stack, end; /* the stack to show, and the end after the last */
	uint32_t node;       /* node of the stack that is shown */
	uint32_t part;       /* function of the frame, innermost first */
	uint32_t depth;
	bool top_only;
};

enum { OF_STACK = 1, TOP = 2 };

static int
connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **out, char **error)
{
	int status = cp_sql_connect(db,
	    "stack INTEGER, depth INTEGER, frame, symbol, file, "
	    "line, inlined",
	    sizeof(struct table), out);

	(void)argc, (void)argv, (void)error;
	if (status == SQLITE_OK)
		((struct table *)*out)->data = aux;
	return status;
}

static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct table *t = (const struct table *)base;
	int stack = -1, depth = -1, args = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c =
		    &info->aConstraint[i];

		if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		if (c->iColumn == 0)
			stack = i;
		else if (c->iColumn == 1)
			depth = i;
	}
	if (stack >= 0)
		info->aConstraintUsage[stack].argvIndex = ++args;
	if (depth >= 0)
		info->aConstraintUsage[depth].argvIndex = ++args;
	info->idxNum = (stack >= 0 ? OF_STACK : 0) | (depth >= 0 ? TOP : 0);
	info->estimatedRows = depth >= 0 ? 1 : 30;
	if (stack < 0)
		info->estimatedRows *=
		    (sqlite3_int64)t->data->profile->stacks.len;
	info->estimatedCost = (double)info->estimatedRows;
	return SQLITE_OK;
}

static int
open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	int status = cp_sql_open_cursor(sizeof(struct cursor), out);

	if (status == SQLITE_OK)
		((struct cursor *)*out)->profile =
		    ((struct table *)t)->data->profile;
	return status;
}

static const struct cp_profile_frame *
frame_at(const struct cursor *c)
{
	return &c->profile->frames.data[c->profile->stacks.data[c->node].frame];
}

static void
to_stack(struct cursor *c, uint32_t stack)
{
	c->stack = c->node = stack;
	c->part = c->depth = 0;
}

static int
filter(sqlite3_vtab_cursor *base, int how, const char *name, int argc,
    sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;
	sqlite3_int64 n;

	(void)name;
	to_stack(c, 1);
	c->end = (uint32_t)c->profile->stacks.len;
	c->top_only = (how & TOP) != 0 &&
		      cp_sqlite.value_type(argv[argc - 1]) == SQLITE_INTEGER &&
		      cp_sqlite.value_int64(argv[argc - 1]) == 0;
	if ((how & OF_STACK) == 0)
		return SQLITE_OK;
	/* SQLite compares again, so that 1.5 and '1' are its affair. */
	n = cp_sqlite.value_int64(argv[0]);
	if (n < 1 || n >= c->end)
		c->end = 0;
	else
		to_stack(c, (uint32_t)n);
	c->end = CP_MIN(c->end, c->stack + 1);
	return SQLITE_OK;
}

static int
next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	c->depth++;
	if (c->top_only) {
		to_stack(c, c->stack + 1);
	} else if (++c->part >= frame_at(c)->spots) {
		c->part = 0;
		c->node = c->profile->stacks.data[c->node].parent;
		if (c->node == 0)
			to_stack(c, c->stack + 1);
	}
	return SQLITE_OK;
}

static int
at_end(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;

	return c->stack >= c->end;
}

static void
put_function(sqlite3_context *ctx, const struct cursor *c, int i)
{
	const struct cp_profile_frame *f = frame_at(c);
	struct cp_profile_spot spot = { .symbol = f->symbol };

	if (f->spots != 0)
		spot = c->profile->spots
			   .data[f->first_spot + f->spots - 1 - c->part];
	switch (i) {
	case 3: cp_sql_id(ctx, spot.symbol, 0); break;
	case 4: cp_sql_text(ctx, spot.file); break;
	case 5: cp_sql_id(ctx, spot.line, 0); break;
	default: cp_sql_u64(ctx, c->part + 1 < f->spots);
	}
}

static int
column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i)
{
	const struct cursor *c = (const struct cursor *)base;

	if (i == 0)
		cp_sql_u64(ctx, c->stack);
	else if (i == 1)
		cp_sql_u64(ctx, c->depth);
	else if (i == 2)
		cp_sql_u64(ctx, c->profile->stacks.data[c->node].frame);
	else
		put_function(ctx, c, i);
	return SQLITE_OK;
}

static int
rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	const struct cursor *c = (const struct cursor *)base;

	*out = (sqlite3_int64)c->stack << 31 | c->depth;
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
cp_sql_add_paths(sqlite3 *db, struct cp_sql_data *data)
{
	return cp_sqlite.create_module_v2(
	    db, "stack_functions", &methods, data, NULL);
}
