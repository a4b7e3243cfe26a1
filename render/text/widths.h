/* SPDX-License-Identifier: MIT */
/*
 * render/text/widths.h: the widths of a table's columns in a terminal, two for
 * each: of its value, and of its interval; 0: it is not shown.
 */
#ifndef CP_RENDER_TEXT_WIDTHS_H
#define CP_RENDER_TEXT_WIDTHS_H

#include "report/table.h"

/* Returns the columns of a line. */
size_t cp_widths_total(const struct cp_table *, const size_t *width);
/* Leaves out what says less than a whole name, if the line does not fit. */
void cp_widths_fold(const struct cp_table *, size_t *width, size_t room);
/* Makes the texts narrower until the line fits, as long as they can be read. */
void cp_widths_shrink(const struct cp_table *, size_t *width, size_t room);
/* Does so, and then goes on without build IDs and with parts of texts. */
void cp_widths_squeeze(const struct cp_table *, size_t *width, size_t room);

#endif
