/* SPDX-License-Identifier: MIT */
/*
 * render/common/fit-name.h: cuts names of functions to a width.
 *
 * Parts are removed in this order: template arguments and parameters,
 * namespaces from the outermost on, and last the middle of the function's own
 * name.  page/names.js does the same with the short form.
 */
#ifndef CP_RENDER_COMMON_FIT_NAME_H
#define CP_RENDER_COMMON_FIT_NAME_H

#include "base/buf.h"

/*
 * Writes as much of the name as fits into that many columns, at least one.
 * Callers separated by " < " share them.  The name is escaped for a terminal.
 */
void cp_fit_name(struct cp_buf *, const char *name, size_t columns);
/* Writes start and end of a text, with an ellipsis between them. */
void cp_cut_middle(struct cp_buf *, const char *text, size_t columns);

#endif
