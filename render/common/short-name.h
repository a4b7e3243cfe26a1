/* SPDX-License-Identifier: MIT */
/*
 * render/common/short-name.h: names of functions where space is short.
 *
 * The function stays as long as anything does.  What goes first is template
 * arguments and parameters, then namespaces from the outermost on, and the
 * middle of the function's own name last.  page/names.js does the same with
 * the short form that it is given.
 */
#ifndef CP_RENDER_COMMON_SHORT_NAME_H
#define CP_RENDER_COMMON_SHORT_NAME_H

#include "base/buf.h"

/*
 * The name without template arguments and parameters:
 *	std::map<int, T>::operator[](int const&) -> std::map<…>::operator[]
 * All names of std::string are that; what compilers add to names stays.
 */
void cp_short_name(struct cp_buf *, const char *name);

/*
 * Writes as much of the name as fits into that many columns, at least one.
 * Callers separated by " < " share them.  The name is escaped for a terminal.
 */
void cp_fit_name(struct cp_buf *, const char *name, size_t columns);

/*
 * Returns the last part of a short form: the function without its namespaces.
 */
const char *cp_name_tail(const char *brief);
/* Writes start and end of a text, with an ellipsis between them. */
void cp_cut_middle(struct cp_buf *, const char *text, size_t columns);

#endif
