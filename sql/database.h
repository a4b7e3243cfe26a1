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
	double until; /* when the query must have ended */
	bool late;    /* it has not */
	char error[400];
};

/* The time of a query begins. */
void cp_sql_start_clock(struct cp_sql *);

#endif
