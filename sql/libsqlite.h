/* SPDX-License-Identifier: MIT */
/*
 * sql/libsqlite.h: SQLite's calls, found at run time: only `sql' needs them,
 * and linking them would cost each other command 0.4 ms.
 */
#ifndef CP_SQL_LIBSQLITE_H
#define CP_SQL_LIBSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>

#define CP_SQLITE_CALLS(X)                                                     \
	X(close)                                                               \
	X(column_blob)                                                         \
	X(column_bytes)                                                        \
	X(column_count)                                                        \
	X(column_double)                                                       \
	X(column_int64)                                                        \
	X(column_name)                                                         \
	X(column_text)                                                         \
	X(column_type)                                                         \
	X(complete)                                                            \
	X(create_module_v2)                                                    \
	X(db_config)                                                           \
	X(declare_vtab)                                                        \
	X(errmsg)                                                              \
	X(exec)                                                                \
	X(finalize)                                                            \
	X(free)                                                                \
	X(hard_heap_limit64)                                                   \
	X(limit)                                                               \
	X(malloc64)                                                            \
	X(mprintf)                                                             \
	X(open_v2)                                                             \
	X(prepare_v2)                                                          \
	X(progress_handler)                                                    \
	X(result_double)                                                       \
	X(result_int64)                                                        \
	X(result_null)                                                         \
	X(result_text)                                                         \
	X(set_authorizer)                                                      \
	X(step)                                                                \
	X(value_double)                                                        \
	X(value_int64)                                                         \
	X(value_numeric_type)                                                  \
	X(value_type)                                                          \
	X(vtab_config)

struct cp_libsqlite {
#define X(call) __typeof__(&sqlite3_##call) call;
	CP_SQLITE_CALLS(X)
#undef X
};

/* Has the calls once cp_libsqlite_load() is true: a database is open. */
extern struct cp_libsqlite cp_sqlite;

/* False: SQLite is not installed. */
bool cp_libsqlite_load(void);

#endif
