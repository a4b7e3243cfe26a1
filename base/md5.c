/* SPDX-License-Identifier: MIT */
#include "base/md5.h"

#include <nettle/md5.h>

void
cp_md5(const void *p, size_t n, uint8_t out[16])
{
	struct md5_ctx ctx;

	md5_init(&ctx);
	md5_update(&ctx, n, p);
	md5_digest(&ctx, 16, out);
}
