/* SPDX-License-Identifier: MIT */
#include "symbolize/object/symbol-columns.h"

#include "base/snapshot-columns.h"

struct cp_symbol_columns
cp_symbol_columns_of(struct cp_columns *t)
{
	struct cp_symbol_columns c;

	c.object = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(symbols, object));
	c.start = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(symbols, start));
	c.end = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(symbols, end));
	c.name = cp_columns_texts(t, CP_SNAPSHOT_TEXT(symbols, name));
	c.raw = cp_columns_texts(t, CP_SNAPSHOT_TEXT(symbols, raw));
	c.source = cp_columns_texts(t, CP_SNAPSHOT_TEXT(symbols, source));
	c.trust = cp_columns_texts(t, CP_SNAPSHOT_TEXT(symbols, trust));
	c.label = cp_columns_later_texts(t, CP_SNAPSHOT_TEXT(symbols, label));
	return c;
}
