/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "sql/libsqlite.h"
#include "sql/values.h"

void
cp_sql_u64(sqlite3_context *ctx, uint64_t v)
{
	if (v <= INT64_MAX)
		cp_sqlite.result_int64(ctx, (sqlite3_int64)v);
	else
		cp_sqlite.result_double(ctx, (double)v);
}

void
cp_sql_id(sqlite3_context *ctx, uint64_t v, uint64_t none)
{
	if (v == none)
		cp_sqlite.result_null(ctx);
	else
		cp_sql_u64(ctx, v);
}

void
cp_sql_address(sqlite3_context *ctx, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, v);
	cp_sqlite.result_text(ctx, text, -1, SQLITE_TRANSIENT);
}

void
cp_sql_text(sqlite3_context *ctx, const char *s)
{
	if (s == NULL)
		cp_sqlite.result_null(ctx);
	else
		cp_sqlite.result_text(ctx, s, -1, SQLITE_STATIC);
}
