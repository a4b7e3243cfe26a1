/* SPDX-License-Identifier: MIT */
/*
 * base/digest.h: checksums, computed by nettle.
 */
#ifndef CP_BASE_DIGEST_H
#define CP_BASE_DIGEST_H

#include <nettle/sha2.h>

#include "base/base.h"

/*
 * MD5, which DWARF 5 stores for source files.  It tells versions of a file
 * apart; it does not protect against deliberate forgery.
 */
void cp_md5(const void *p, size_t n, uint8_t out[16]);

/* SHA-256 of data that arrives in pieces. */
struct cp_sha256 {
	struct sha256_ctx ctx;
};

void cp_sha256_init(struct cp_sha256 *);
void cp_sha256_add(struct cp_sha256 *, const void *, size_t n);
void cp_sha256_end(struct cp_sha256 *, uint8_t out[32]);
/* 64 digits and a NUL. */
void cp_sha256_hex(struct cp_sha256 *, char out[65]);

#endif
