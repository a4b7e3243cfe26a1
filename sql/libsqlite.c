/* SPDX-License-Identifier: MIT */
#include "sql/libsqlite.h"

#include <pthread.h>

#include "base/library.h"

#define SONAME "libsqlite3.so.0"

struct cp_libsqlite cp_sqlite;
static bool usable;

static void
load(void)
{
#define X(call) CP_LIBRARY_CALL(sqlite3_##call, cp_libsqlite, call),
	static const struct cp_library_call list[] = { CP_SQLITE_CALLS(X) };
#undef X

	usable = cp_library_load(SONAME, list, CP_ARRAY_LEN(list), &cp_sqlite);
}

bool
cp_libsqlite_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return usable;
}
