/* SPDX-License-Identifier: MIT */
/* sql/views.h: the ready-made queries. */
#ifndef CP_SQL_VIEWS_H
#define CP_SQL_VIEWS_H

/* A view: a SELECT over other tables; select is NULL for stack_functions. */
struct cp_sql_view {
	const char *name, *columns, *select;
};
/* Ends with a NULL name. */
extern const struct cp_sql_view cp_sql_views[];

#endif
