/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/unwind.h: call chains from the registers and the piece of
 * stack that a sample brings along.
 *
 * Rules come from the unwind tables of the objects (cfi.h), once for each
 * address; most fit 32 bits.  Nothing but the dump, and bytes of mapped
 * files, is ever read.  What had to be guessed is marked, and each stack
 * tells why it ended.  An unwinder is for one thread at a time.
 */
#ifndef CP_SYMBOLIZE_UNWIND_UNWIND_H
#define CP_SYMBOLIZE_UNWIND_UNWIND_H

#include "model/session.h"

struct cp_symbols;
struct cp_unwinder;

/* uname: of the recorded machine, as "x86_64". */
struct cp_unwinder *cp_unwinder_new(
    struct cp_symbols *, const struct cp_dsos *, const char *uname);
void cp_unwinder_free(struct cp_unwinder *);
/* Where nothing else leads on, words of the stack are taken for addresses. */
void cp_unwinder_scan(struct cp_unwinder *, bool);

/* A cp_unwind_fn of model/session.h; ctx is the unwinder. */
size_t cp_unwind(void *ctx, struct cp_unwind *);

#endif
