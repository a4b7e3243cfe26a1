/* SPDX-License-Identifier: MIT */
/*
 * database: SQLite opened so that a query can read the tables and no more.
 *
 * Nothing can be written, attached or loaded, and PRAGMA is refused; a query
 * ends when its time or memory is used up.  Views are made before these limits
 * are in force.
 */
#include "sql/database.h"

#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "sql/libsqlite.h"
#include "sql/views.h"

/*
 * Steps of SQLite between two checks of the time; one step can process 16 MiB.
 */
enum { STEPS = 100 };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Is it a function that loads code, or one that reveals addresses of code? */
static bool
is_forbidden(const char *function)
{
	return strcmp(function, "load_extension") == 0 ||
	       strcmp(function, "fts3_tokenizer") == 0;
}

static int
authorize(void *ctx, int action, const char *a, const char *b, const char *db,
    const char *view)
{
	(void)ctx, (void)a, (void)db, (void)view;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE: return SQLITE_OK;
	case SQLITE_FUNCTION:
		return b != NULL && is_forbidden(b) ? SQLITE_DENY : SQLITE_OK;
	default: return SQLITE_DENY;
	}
}

/* Nonzero ends the query. */
static int
over_time(void *ctx)
{
	struct cp_sql *s = ctx;

	s->late = now() > s->until;
	return s->late;
}

void
cp_sql_start_clock(struct cp_sql *s)
{
	s->late = false;
	s->until = now() + s->limits.seconds;
}

static void
set_limits(sqlite3 *db)
{
	static const struct {
		int what, most;
	} limits[] = {
		{ SQLITE_LIMIT_LENGTH, 16 << 20 },
		{ SQLITE_LIMIT_SQL_LENGTH, CP_MAX_QUERY },
		{ SQLITE_LIMIT_COLUMN, 200 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 200 },
		{ SQLITE_LIMIT_COMPOUND_SELECT, 50 },
		{ SQLITE_LIMIT_FUNCTION_ARG, 50 },
		{ SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
		{ SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
		{ SQLITE_LIMIT_WORKER_THREADS, 0 },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(limits); i++)
		cp_sqlite.limit(db, limits[i].what, limits[i].most);
}

static int
add_views(sqlite3 *db)
{
	int status = SQLITE_OK;

	for (const struct cp_sql_view *v = cp_sql_views;
	     v->name != NULL && status == SQLITE_OK; v++) {
		char *text;

		if (v->select == NULL)
			continue;
		text = cp_sqlite.mprintf(
		    "CREATE VIEW %s AS %s", v->name, v->select);
		status = text != NULL
			     ? cp_sqlite.exec(db, text, NULL, NULL, NULL)
			     : SQLITE_NOMEM;
		cp_sqlite.free(text);
	}
	return status;
}

static int
try(sqlite3 *db, const char *table)
{
	char *text = cp_sqlite.mprintf("SELECT * FROM %s", table);
	sqlite3_stmt *stmt = NULL;
	int status = text != NULL
			 ? cp_sqlite.prepare_v2(db, text, -1, &stmt, NULL)
			 : SQLITE_NOMEM;

	cp_sqlite.finalize(stmt);
	cp_sqlite.free(text);
	return status;
}

/* Connects all tables while that is allowed, and tries the views. */
static int
try_all(sqlite3 *db)
{
	int status = SQLITE_OK;

	for (const struct cp_sql_table *t = cp_sql_tables;
	     t->name != NULL && status == SQLITE_OK; t++)
		status = try(db, t->name);
	for (const struct cp_sql_view *v = cp_sql_views;
	     v->name != NULL && status == SQLITE_OK; v++)
		status = try(db, v->name);
	return status;
}

static int
prepare(struct cp_sql *s)
{
	int status = cp_sqlite.open_v2(":memory:", &s->db,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
	    NULL);

	/* Sorting in memory: no temporary files, and the limit holds. */
	if (status == SQLITE_OK)
		status = cp_sqlite.exec(
		    s->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	if (status == SQLITE_OK)
		status = cp_sql_add_tables(s->db, &s->data);
	if (status == SQLITE_OK)
		status = cp_sql_add_paths(s->db, &s->data);
	if (status == SQLITE_OK)
		status = add_views(s->db);
	return status == SQLITE_OK ? try_all(s->db) : status;
}

bool
cp_sql_possible(void)
{
	return cp_libsqlite_load();
}

struct cp_sql *
cp_sql_open(const struct cp_report *r, struct cp_sql_limits limits)
{
	struct cp_sql *s;

	if (!cp_libsqlite_load())
		return NULL;
	s = cp_xcalloc(1, sizeof(*s));
	s->limits = limits;
	cp_sql_data_init(&s->data, r);
	cp_sqlite.hard_heap_limit64(CP_MAX_QUERY_MEMORY);
	if (s->data.profile == NULL || prepare(s) != SQLITE_OK) {
		cp_sql_close(s);
		return NULL;
	}
	cp_sqlite.db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	cp_sqlite.db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	cp_sqlite.db_config(
	    s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	set_limits(s->db);
	cp_sqlite.set_authorizer(s->db, authorize, NULL);
	cp_sqlite.progress_handler(s->db, STEPS, over_time, s);
	return s;
}

void
cp_sql_close(struct cp_sql *s)
{
	if (s == NULL)
		return;
	cp_sqlite.close(s->db);
	cp_sql_data_free(&s->data);
	free(s);
}

bool
cp_sql_complete(const char *text)
{
	return cp_sqlite.complete(text) != 0;
}
