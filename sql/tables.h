/* SPDX-License-Identifier: MIT */
/* sql/tables.h: rows and columns of the tables, for the virtual tables. */
#ifndef CP_SQL_TABLES_H
#define CP_SQL_TABLES_H

#include <sqlite3.h>

#include "sql/data.h"

/* A table; its rows are numbered first...rows() - 1. */
struct cp_sql_table {
	const char *name, *columns;
	int id;     /* column that is the row's number; -1: none */
	int parent; /* column that range() searches; -1: none */
	uint32_t first;
	size_t (*rows)(struct cp_sql_data *);
	void (*put)(sqlite3_context *, const struct cp_sql_data *, size_t row,
	    int column);
	/* Finds the rows whose column `parent' has the value. */
	void (*range)(const struct cp_sql_data *, uint64_t value, size_t *from,
	    size_t *to);
};

/* Ends with a NULL name. */
extern const struct cp_sql_table cp_sql_tables[];

/* Register the tables and stack_functions.  Return SQLite's status. */
int cp_sql_add_tables(sqlite3 *, struct cp_sql_data *);
int cp_sql_add_paths(sqlite3 *, struct cp_sql_data *);

#endif
