/* SPDX-License-Identifier: MIT */
/* sql/values.h: values as SQLite has them. */
#ifndef CP_SQL_VALUES_H
#define CP_SQL_VALUES_H

#include <sqlite3.h>
#include <stdint.h>

/* Values: beyond 63 bits a number is a REAL, an address is text. */
void cp_sql_u64(sqlite3_context *, uint64_t);
/* `none' is NULL. */
void cp_sql_id(sqlite3_context *, uint64_t, uint64_t none);
void cp_sql_address(sqlite3_context *, uint64_t);
/* NULL is NULL; the text is not copied. */
void cp_sql_text(sqlite3_context *, const char *);

#endif
