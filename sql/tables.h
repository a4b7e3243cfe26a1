/* SPDX-License-Identifier: MIT */
/* sql/tables.h: what the tables hold, for those who make them tables. */
#ifndef CP_SQL_TABLES_H
#define CP_SQL_TABLES_H

#include <sqlite3.h>

#include "sql/data.h"

/* Rows first...rows() - 1, each with a number of its own. */
struct cp_sql_table {
	const char *name, *columns;
	int id;     /* column that is the row's number; -1: none */
	int parent; /* column that range() serves; -1: none */
	uint32_t first;
	size_t (*rows)(struct cp_sql_data *);
	void (*put)(sqlite3_context *, const struct cp_sql_data *, size_t row,
	    int column);
	/* The rows whose column `parent' is value. */
	void (*range)(const struct cp_sql_data *, uint64_t value, size_t *from,
	    size_t *to);
};

/* Ends with a NULL name. */
extern const struct cp_sql_table cp_sql_tables[];

/* Registers them, and stack_functions.  Returns SQLite's status. */
int cp_sql_add_tables(sqlite3 *, struct cp_sql_data *);
int cp_sql_add_paths(sqlite3 *, struct cp_sql_data *);

#endif
