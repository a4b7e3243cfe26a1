/* SPDX-License-Identifier: MIT */
/* readers/byte-account.h: which bytes of a file were used. */
#ifndef CP_READERS_BYTE_ACCOUNT_H
#define CP_READERS_BYTE_ACCOUNT_H

#include "readers/reader.h"

/* Bytes [offset, offset + size) were used. */
void cp_capture_claim(struct cp_capture *, uint64_t offset, uint64_t size);
/* At the end: how many bytes were used, and how many were not. */
void cp_capture_account(struct cp_capture *);

#endif
