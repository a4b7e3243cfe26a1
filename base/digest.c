/* SPDX-License-Identifier: MIT */
#include "base/digest.h"

#include <nettle/md5.h>

#include "base/strings.h"

void
cp_md5(const void *p, size_t n, uint8_t out[16])
{
	struct md5_ctx ctx;

	md5_init(&ctx);
	md5_update(&ctx, n, p);
	md5_digest(&ctx, 16, out);
}

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
cp_sha256_end(struct cp_sha256 *s, uint8_t out[32])
{
	sha256_digest(&s->ctx, SHA256_DIGEST_SIZE, out);
}

void
cp_sha256_hex(struct cp_sha256 *s, char out[65])
{
	uint8_t digest[SHA256_DIGEST_SIZE];

	cp_sha256_end(s, digest);
	cp_hex_of(out, digest, sizeof(digest));
}
