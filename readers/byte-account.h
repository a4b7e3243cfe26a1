/* SPDX-License-Identifier: MIT */
/* readers/byte-account.h: counts which bytes of a file were used. */
#ifndef CP_READERS_BYTE_ACCOUNT_H
#define CP_READERS_BYTE_ACCOUNT_H

#include "readers/reader.h"

/* Marks bytes [offset, offset + size) as used. */
void cp_capture_claim(struct cp_capture *, uint64_t offset, uint64_t size);
/*
 * Returns the size of the first run of 8 or more bytes of [from, to) that was
 * not marked, and its offset in *at; 0: none.
 */
uint64_t cp_capture_hole(
    struct cp_capture *, uint64_t from, uint64_t to, uint64_t *at);
/* Counts used and unused bytes, after the last event. */
void cp_capture_account(struct cp_capture *);

#endif
