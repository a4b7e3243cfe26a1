/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/unwind.h: call chains from a sample's registers and stack
 * dump.
 *
 * Rules come from the objects' unwind tables (cfi.h), once per address; most
 * fit 32 bits.  Only the dump and bytes of mapped files are read.  Guessed
 * frames are marked, and each stack tells why it ended.  An unwinder is for one
 * thread at a time.
 */
#ifndef CP_SYMBOLIZE_UNWIND_UNWIND_H
#define CP_SYMBOLIZE_UNWIND_UNWIND_H

#include "model/session.h"

struct cp_symbols;
struct cp_unwinder;

/* uname: the recorded machine, as "x86_64". */
struct cp_unwinder *cp_unwinder_new(
    struct cp_symbols *, const struct cp_dsos *, const char *uname);
void cp_unwinder_free(struct cp_unwinder *);
/*
 * Can stacks of the recorded machine be unwound?  abi: that of a sample's
 * registers.
 */
bool cp_unwinder_knows(const struct cp_unwinder *, uint64_t abi);
/* Allows scanning the stack where all other methods fail. */
void cp_unwinder_scan(struct cp_unwinder *, bool);

/* A cp_unwind_fn of model/session.h; ctx is the unwinder. */
size_t cp_unwind(void *ctx, struct cp_unwind *);

#endif
