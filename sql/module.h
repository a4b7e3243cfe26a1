/* SPDX-License-Identifier: MIT */
/* sql/module.h: functions that all virtual tables share. */
#ifndef CP_SQL_MODULE_H
#define CP_SQL_MODULE_H

#include <sqlite3.h>
#include <stddef.h>

/*
 * Declares the columns and makes a table of `size' bytes, which begins with a
 * sqlite3_vtab and is zero.  Returns SQLite's status.
 */
int cp_sql_connect(
    sqlite3 *, const char *columns, size_t size, sqlite3_vtab **out);
int cp_sql_disconnect(sqlite3_vtab *);

/* The same for a cursor, which begins with a sqlite3_vtab_cursor. */
int cp_sql_open_cursor(size_t size, sqlite3_vtab_cursor **out);
int cp_sql_close_cursor(sqlite3_vtab_cursor *);

#endif
