/* SPDX-License-Identifier: MIT */
/* readers/byte-account.h: counts which bytes of a file were used. */
#ifndef CP_READERS_BYTE_ACCOUNT_H
#define CP_READERS_BYTE_ACCOUNT_H

#include "readers/reader.h"

/* Marks bytes [offset, offset + size) as used. */
void cp_capture_claim(struct cp_capture *, uint64_t offset, uint64_t size);
/* Counts used and unused bytes, after the last event. */
void cp_capture_account(struct cp_capture *);

#endif
