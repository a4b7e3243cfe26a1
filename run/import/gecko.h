/* SPDX-License-Identifier: MIT */
/*
 * run/import/gecko.h: the tables of Firefox Profiler's JSON, as columns of
 * numbers.  What is no number is -1.
 */
#ifndef CP_RUN_IMPORT_GECKO_H
#define CP_RUN_IMPORT_GECKO_H

#include "run/import/json.h"

struct cp_gecko_column {
	double *data;
	size_t n;
};

struct cp_gecko_tables {
	struct cp_gecko_column stack_frame, prefix, offset, func, depth, line,
	    category, address, func_name, resource, func_file, source,
	    source_name, resource_lib, resource_name, frame_lib;
	CP_VEC(const char *) string;
	CP_VEC(cp_stack_id) stack; /* + 1, by row of the table of stacks */
};

/* Reads the tables that a thread or "shared" has. */
void cp_gecko_read(struct cp_import *, struct cp_json *, uint32_t from,
    struct cp_gecko_tables *);
void cp_gecko_free(struct cp_gecko_tables *);
/* The column of a table by rows, with a "schema"; NULL: it is none. */
struct cp_gecko_column cp_gecko_rows(
    const struct cp_json *, uint32_t table, const char *name);

#endif
