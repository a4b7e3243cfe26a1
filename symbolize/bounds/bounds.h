/* SPDX-License-Identifier: MIT */
/*
 * symbolize/bounds/bounds.h: finds where functions without a name begin and
 * end, from the unwind tables of their object.
 *
 * A stripped program keeps .eh_frame, .debug_frame or .ARM.exidx.  They have an
 * entry for each function, and no names.  Such a function is called by its
 * object and address, "gzip+0x4300".  This room may use object/, cfi/ and elf/.
 */
#ifndef CP_SYMBOLIZE_BOUNDS_BOUNDS_H
#define CP_SYMBOLIZE_BOUNDS_BOUNDS_H

#include "model/dso.h"

struct cp_symbols;
struct cp_bounds;

struct cp_bounds *cp_bounds_new(struct cp_symbols *);
/* Call it before cp_symbols_free(). */
void cp_bounds_free(struct cp_bounds *);
/*
 * Returns the function that contains addr (a cp_frame.addr); the same function
 * is the same pointer.  NULL: no table covers it.
 */
const struct cp_symbol *cp_bounds_function(
    struct cp_bounds *, const struct cp_dso_info *, uint64_t addr);

#endif
