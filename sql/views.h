/* SPDX-License-Identifier: MIT */
/* sql/views.h: the ready-made questions. */
#ifndef CP_SQL_VIEWS_H
#define CP_SQL_VIEWS_H

/* What is made of other tables by a SELECT; NULL: it is stack_functions. */
struct cp_sql_view {
	const char *name, *columns, *select;
};
/* Ends with a NULL name. */
extern const struct cp_sql_view cp_sql_views[];

#endif
