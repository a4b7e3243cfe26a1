/* SPDX-License-Identifier: MIT */
/* sql/values.h: converts values to SQLite's types. */
#ifndef CP_SQL_VALUES_H
#define CP_SQL_VALUES_H

#include <sqlite3.h>
#include <stdint.h>

/*
 * Set a result.  A number of more than 63 bits becomes a REAL, an address a
 * text.
 */
void cp_sql_u64(sqlite3_context *, uint64_t);
/* Sets an id; the value `none' becomes NULL. */
void cp_sql_id(sqlite3_context *, uint64_t, uint64_t none);
void cp_sql_address(sqlite3_context *, uint64_t);
/* Sets a text, which is not copied; NULL becomes NULL. */
void cp_sql_text(sqlite3_context *, const char *);

#endif
