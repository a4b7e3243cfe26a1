/* SPDX-License-Identifier: MIT */
#include "render/export/common/gzip.h"

#include <libdeflate.h>

#include "base/limits.h"

enum { LEVEL = 6 };

void
cp_gzip_begin(struct cp_gzip *z, struct cp_out *to)
{
	z->to = to;
	cp_buf_init(&z->plain, CP_MAX_EXPORT);
	cp_out_init(&z->out, cp_out_to_buf, &z->plain);
}

static bool
compress_all(struct cp_gzip *z)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(LEVEL);
	const char *plain = cp_buf_text(&z->plain);
	size_t max, n;
	void *bytes;

	if (c == NULL)
		return false;
	max = libdeflate_gzip_compress_bound(c, z->plain.len);
	bytes = cp_xmalloc(max);
	n = libdeflate_gzip_compress(c, plain, z->plain.len, bytes, max);
	cp_out_add(z->to, bytes, n);
	free(bytes);
	libdeflate_free_compressor(c);
	return n != 0;
}

void
cp_gzip_end(struct cp_gzip *z, struct cp_left *left)
{
	if (cp_out_end(&z->out) != CP_OK) {
		left->limit = "bytes to be compressed (CP_MAX_EXPORT)";
		left->cut = true;
	} else if (!compress_all(z))
		z->to->failed = true;
	cp_buf_free(&z->plain);
}
