/* SPDX-License-Identifier: MIT */
#include "symbolize/list.h"

#include "symbolize/symbolizers/symbolizers.h"

const struct cp_symbolizer *const cp_symbolizers[] = {
#define CP_SYMBOLIZER(id) &cp_symbolizer_##id,
#include "symbolize/symbolizers/list.def"
#undef CP_SYMBOLIZER
};
const size_t cp_symbolizers_count = CP_ARRAY_LEN(cp_symbolizers);
