/* SPDX-License-Identifier: MIT */
/*
 * render/common/short-name.h: shortens names of functions to fit in little
 * space.
 *
 * Parts are removed in this order: template arguments and parameters,
 * namespaces from the outermost on, and last the middle of the function's own
 * name.  page/names.js does the same with the short form.
 */
#ifndef CP_RENDER_COMMON_SHORT_NAME_H
#define CP_RENDER_COMMON_SHORT_NAME_H

#include "base/buf.h"

/*
 * The name without template arguments and parameters: std::map<int,
 * T>::operator[](int const&) -> std::map<…>::operator[] All names of
 * std::string become "std::string"; suffixes that compilers add stay.
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
