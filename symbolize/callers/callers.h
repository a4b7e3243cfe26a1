/* SPDX-License-Identifier: MIT */
/*
 * symbolize/callers/callers.h: which caller a chain of frame pointers lacks.
 *
 * The kernel follows saved frame pointers from the register on.  A function
 * that has not set up its frame, a leaf without one, a prologue, a PLT stub,
 * leaves its caller's frame pointer in the register: the chain goes on with the
 * caller's caller.  The unwind table of the sampled address tells.
 *
 * This room judges chains that the kernel recorded.  It may use unwind, which
 * has the tables, elf, and object for what a snapshot keeps.  Begin in
 * callers.c.
 */
#ifndef CP_SYMBOLIZE_CALLERS_CALLERS_H
#define CP_SYMBOLIZE_CALLERS_CALLERS_H

#include "model/session.h"

struct cp_caller_judge;
struct cp_symbols;
struct cp_unwinder;

/* Both must outlive it. */
struct cp_caller_judge *cp_callers_new(
    struct cp_unwinder *, struct cp_symbols *);
void cp_callers_free(struct cp_caller_judge *);
/* A cp_caller_fn of model/session.h; ctx is the struct cp_caller_judge. */
enum cp_caller cp_callers_ask(void *ctx, const struct cp_frame *,
    const struct cp_frame *above, struct cp_frame *out);

#endif
