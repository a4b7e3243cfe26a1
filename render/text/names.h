/* SPDX-License-Identifier: MIT */
/*
 * render/text/names.h: the texts of a table's column, cut to its width so that
 * different texts still look different.
 */
#ifndef CP_RENDER_TEXT_NAMES_H
#define CP_RENDER_TEXT_NAMES_H

#include "render/render.h"

struct cp_name_row {
	size_t indent;
	size_t full, shown; /* in the text */
	size_t key;         /* what rows that look alike have in common */
};

struct cp_names {
	struct cp_buf text;
	CP_VEC(struct cp_name_row) rows;
	bool brief; /* functions: short forms even if there is room */
};

/*
 * Returns the texts by column; free them with cp_names_free_of().  Sentences,
 * lines of code, and tables whose rows are made while they are written, have
 * none.
 */
struct cp_names *cp_names_of(const struct cp_table *, bool brief);
/* True if one of the columns has names of functions. */
bool cp_names_column(const struct cp_table *);
void cp_names_free_of(const struct cp_table *, struct cp_names *);
/* Cuts to that many columns, indentation included; 0: no limit. */
void cp_names_fit(struct cp_names *, size_t columns);
/* Adds a row's text with its indentation to the buffer. */
void cp_names_put(const struct cp_names *, size_t row, struct cp_buf *);
const char *cp_names_full(const struct cp_names *, size_t row);

#endif
