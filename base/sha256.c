/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include "base/strings.h"

void
cp_sha256_init(struct cp_sha256 *s)
{
	sha256_init(&s->ctx);
}

void
cp_sha256_add(struct cp_sha256 *s, const void *p, size_t n)
{
	sha256_update(&s->ctx, n, p);
}

void
cp_sha256_hex(struct cp_sha256 *s, char out[65])
{
	uint8_t digest[SHA256_DIGEST_SIZE];

	sha256_digest(&s->ctx, sizeof(digest), digest);
	cp_hex_of(out, digest, sizeof(digest));
}
