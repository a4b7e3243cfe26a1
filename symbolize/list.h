/* SPDX-License-Identifier: MIT */
/*
 * symbolize/list.h: the symbolizers, in the order they are asked.
 */
#ifndef CP_SYMBOLIZE_LIST_H
#define CP_SYMBOLIZE_LIST_H

#include "symbolize/object/object.h"

extern const struct cp_symbolizer *const cp_symbolizers[];
extern const size_t cp_symbolizers_count;

#endif
