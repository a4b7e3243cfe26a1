/* SPDX-License-Identifier: MIT */
/* sql/tables.h: what the tables hold, for those who make them tables. */
#ifndef CP_SQL_TABLES_H
#define CP_SQL_TABLES_H

#include <sqlite3.h>

#include "report/profile.h"
#include "report/report.h"

/* The samples of an event that have the same stack. */
struct cp_sql_sum {
	uint32_t event, stack;
	uint64_t samples, weight;
};

/* A function: a symbol, or what has no name in an object. */
struct cp_sql_function {
	uint32_t event, symbol, object;
	uint64_t self_samples, self_weight;
	uint64_t samples, weight; /* of stacks that it is in */
	size_t last;              /* such a stack, the last one counted */
};

struct cp_sql_fact {
	const char *section;
	const struct cp_scalar *scalar;
};

struct cp_sql_data {
	const struct cp_report *report;
	const struct cp_profile *profile;
	uint32_t *frame_of_spot;
	CP_VEC(struct cp_sql_fact) facts;
	CP_VEC(struct cp_sql_sum) sums;
	CP_VEC(struct cp_sql_function) functions;
	bool summed; /* sums and functions have been filled */
};

void cp_sql_data_init(struct cp_sql_data *, const struct cp_report *);
void cp_sql_data_free(struct cp_sql_data *);
/* Fills sums and functions, when they are first asked for. */
void cp_sql_add_up(struct cp_sql_data *);

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

/* What is made of other tables by a SELECT; NULL: it is stack_functions. */
struct cp_sql_view {
	const char *name, *columns, *select;
};
/* Ends with a NULL name. */
extern const struct cp_sql_view cp_sql_views[];

/* Values: beyond 63 bits a number is a REAL, an address is text. */
void cp_sql_u64(sqlite3_context *, uint64_t);
/* `none' is NULL. */
void cp_sql_id(sqlite3_context *, uint64_t, uint64_t none);
void cp_sql_address(sqlite3_context *, uint64_t);
/* NULL is NULL; the text is not copied. */
void cp_sql_text(sqlite3_context *, const char *);

/* Registers them, and stack_functions.  Returns SQLite's status. */
int cp_sql_add_tables(sqlite3 *, struct cp_sql_data *);
int cp_sql_add_paths(sqlite3 *, struct cp_sql_data *);

#endif
