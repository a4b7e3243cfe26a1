/* SPDX-License-Identifier: MIT */
/* symbolize/object/symbol-columns.h: the symbols of a snapshot, by column. */
#ifndef CP_SYMBOLIZE_OBJECT_SYMBOL_COLUMNS_H
#define CP_SYMBOLIZE_OBJECT_SYMBOL_COLUMNS_H

#include "base/parquet/columns.h"

struct cp_symbol_columns {
	int64_t *object, *start, *end;
	const char **name, **raw, **source, **trust, **label;
};

/* They live until cp_columns_close(). */
struct cp_symbol_columns cp_symbol_columns_of(struct cp_columns *);

#endif
