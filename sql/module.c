/* SPDX-License-Identifier: MIT */
#include "sql/module.h"

#include <string.h>

#include "sql/libsqlite.h"

int
cp_sql_connect(
    sqlite3 *db, const char *columns, size_t size, sqlite3_vtab **out)
{
	sqlite3_vtab *t = cp_sqlite.malloc64(size);
	char *text = cp_sqlite.mprintf("CREATE TABLE x(%s)", columns);
	int status = SQLITE_NOMEM;

	if (t != NULL && text != NULL)
		status = cp_sqlite.declare_vtab(db, text);
	if (status == SQLITE_OK)
		status = cp_sqlite.vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	cp_sqlite.free(text);
	if (status != SQLITE_OK) {
		cp_sqlite.free(t);
		return status;
	}
	memset(t, 0, size);
	*out = t;
	return SQLITE_OK;
}

int
cp_sql_disconnect(sqlite3_vtab *t)
{
	cp_sqlite.free(t);
	return SQLITE_OK;
}

int
cp_sql_open_cursor(size_t size, sqlite3_vtab_cursor **out)
{
	sqlite3_vtab_cursor *c = cp_sqlite.malloc64(size);

	if (c == NULL)
		return SQLITE_NOMEM;
	memset(c, 0, size);
	*out = c;
	return SQLITE_OK;
}

int
cp_sql_close_cursor(sqlite3_vtab_cursor *c)
{
	cp_sqlite.free(c);
	return SQLITE_OK;
}
