/* SPDX-License-Identifier: MIT */
/* report/table.h: rows of a table, stored or made while they are written. */
#ifndef CP_REPORT_TABLE_H
#define CP_REPORT_TABLE_H

#include "report/value.h"

/* Reports a last row that lacks values. */
void cp_table_check(struct cp_table *);
/* Sorts the rows, and leaves out those below the top. */
void cp_table_finish(struct cp_table *);
/* The rows of a table.  A row is valid until the next call. */
size_t cp_table_len(const struct cp_table *);
const struct cp_row *cp_table_at(const struct cp_table *, size_t row);

/* Returns a text for a text. */
typedef const char *(*cp_text_fn)(void *ctx, const char *);
/* Does cp_report_texts() for rows that are made while they are written. */
void cp_table_made_texts(struct cp_table *, cp_text_fn, void *ctx);

void cp_table_free(struct cp_table *);

#endif
