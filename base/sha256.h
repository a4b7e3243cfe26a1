/* SPDX-License-Identifier: MIT */
/* base/sha256.h: SHA-256 of bytes in pieces. Nettle does it. */
#ifndef CP_BASE_SHA256_H
#define CP_BASE_SHA256_H

#include <nettle/sha2.h>

#include "base/base.h"

struct cp_sha256 {
	struct sha256_ctx ctx;
};

void cp_sha256_init(struct cp_sha256 *);
void cp_sha256_add(struct cp_sha256 *, const void *, size_t n);
/* 64 digits and a NUL. */
void cp_sha256_hex(struct cp_sha256 *, char out[65]);

#endif
