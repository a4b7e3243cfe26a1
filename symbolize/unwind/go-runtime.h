/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/go-runtime.h: calls in Go's runtime that leave their stack.
 */
#ifndef CP_SYMBOLIZE_UNWIND_GO_RUNTIME_H
#define CP_SYMBOLIZE_UNWIND_GO_RUNTIME_H

#include "symbolize/unwind/walk.h"

/* Finds the functions with such calls. */
void cp_go_find(struct cp_go *, const struct cp_elf *, const struct cp_gotab *);
/* True if pc is after such a call, which ends the stack; addr in the object. */
bool cp_walk_go_top(
    struct cp_unwind_walk *, const struct cp_go *, uint64_t pc, uint64_t addr);

#endif
