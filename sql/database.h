/* SPDX-License-Identifier: MIT */
/* sql/database.h: an open database, for answer.c. */
#ifndef CP_SQL_DATABASE_H
#define CP_SQL_DATABASE_H

#include "base/base.h"
#include "sql/sql.h"
#include "sql/tables.h"

struct cp_sql {
	sqlite3 *db;
	struct cp_sql_data data;
	struct cp_sql_limits limits;
	double until; /* time at which the query is stopped */
	bool late;    /* the query was stopped */
	char error[400];
};

/* Starts the time limit of a query. */
void cp_sql_start_clock(struct cp_sql *);

#endif
