/* SPDX-License-Identifier: MIT */
/*
 * symbolize/callers/frameless.h: has a function set up its frame?
 */
#ifndef CP_SYMBOLIZE_CALLERS_FRAMELESS_H
#define CP_SYMBOLIZE_CALLERS_FRAMELESS_H

#include "symbolize/unwind/rule-lookup.h"

/* Has the function not set up its frame at the row's address? */
bool cp_row_frameless(const struct cp_unwind_row *);
/* Bytes of the image; NULL: the file has not all of them. */
const uint8_t *cp_row_code(const struct cp_elf *, uint64_t at, size_t n);

#endif
