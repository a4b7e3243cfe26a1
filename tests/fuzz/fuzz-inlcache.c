/* SPDX-License-Identifier: MIT */
/*
 * fuzz-inlcache: the cache of inlined functions.  The checksum is made right,
 * or nothing behind it would ever be looked at.
 */
#include <lzma.h>

#include "symbolize/inlines/inline-cache.h"
#include "tests/fuzz/fuzz.h"

#define HEADER 40
#define CRC_AT 32

static volatile size_t sink; /* keeps the reads */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cp_strings texts = { 0 };
	struct cp_dwarf_result r = { 0 };
	uint8_t *copy = cp_xmalloc(size + 1);
	struct cp_inlcache *c;
	uint64_t addr = 0, crc;
	uint32_t n;

	if (size != 0)
		memcpy(copy, data, size);
	if (size >= HEADER) {
		crc = lzma_crc64(copy + HEADER, size - HEADER, 0);
		memcpy(copy + CRC_AT, &crc, sizeof(crc));
	}
	c = cp_inlcache_of((struct cp_content){ .data = copy, .size = size });
	for (size_t i = 0; i < 64; i++) {
		/* Those of the file, if it is one, and others. */
		if (HEADER + 8 * (i + 1) <= size)
			memcpy(&addr, data + HEADER + 8 * i, 8);
		if (cp_inlcache_get(c, addr + (i & 1), &texts, &r, &n))
			sink += n;
	}
	for (size_t i = 0; i < r.frames.len; i++)
		sink += strlen(cp_strings_get(&texts, r.frames.data[i].name));
	cp_inlcache_close(c);
	cp_vec_free(&r.frames);
	cp_strings_free(&texts);
	return 0;
}
