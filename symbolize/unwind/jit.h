/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/jit.h: unwinds code that a jitdump describes.
 */
#ifndef CP_SYMBOLIZE_UNWIND_JIT_H
#define CP_SYMBOLIZE_UNWIND_JIT_H

#include "symbolize/unwind/walk.h"

/* False: pc is not in code of a jitdump. */
bool cp_walk_jit(struct cp_unwind_walk *, uint64_t pc, struct cp_walk_place *);
/* Finds the row of a place in JIT code.  False: no table. */
bool cp_walk_jit_row(
    struct cp_unwind_walk *, const struct cp_walk_place *, struct cp_cfi_row *);
/* Closes the dumps and frees their tables. */
void cp_unwind_jit_free(struct cp_unwinder *);

#endif
