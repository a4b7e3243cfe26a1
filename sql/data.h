/* SPDX-License-Identifier: MIT */
/* sql/data.h: the rows of tables that are computed from a profile. */
#ifndef CP_SQL_DATA_H
#define CP_SQL_DATA_H

#include "report/profile.h"
#include "report/report.h"

/* The samples of an event that have the same stack. */
struct cp_sql_sum {
	uint32_t event, stack;
	uint64_t samples, weight;
};

/* A function: a symbol, or all code of an object without a name. */
struct cp_sql_function {
	uint32_t event, symbol, object;
	uint64_t self_samples, self_weight;
	uint64_t samples, weight; /* of stacks that it is in */
	size_t last;              /* the last stack counted for it */
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
/* Fills sums and functions at the first call. */
void cp_sql_add_up(struct cp_sql_data *);

#endif
