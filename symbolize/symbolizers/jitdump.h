/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/jitdump.h: names and lines of JIT code from a jitdump.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_JITDUMP_H
#define CP_SYMBOLIZE_SYMBOLIZERS_JITDUMP_H

#include "symbolize/object/object.h"

/* Finds file and line of an address, in the object's arena; NULL: unknown. */
const struct cp_spot *cp_object_jit_spot(
    struct cp_symbols *, struct cp_object *, uint64_t addr);

#endif
