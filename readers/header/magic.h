/* SPDX-License-Identifier: MIT */
/* readers/header/magic.h: the first 16 bytes, the same in files and pipes. */
#ifndef CP_READERS_HEADER_MAGIC_H
#define CP_READERS_HEADER_MAGIC_H

#include "base/bytes.h"
#include "readers/input.h"

enum { CP_PIPE_HEAD = 16, CP_FILE_HEAD = 104, CP_FILE_HEAD_OLD = 72 };

struct cp_magic {
	bool valid;
	bool v1; /* PERFFILE: does not tell the byte order */
	/* it is damaged; byte order and size come from other fields */
	bool guessed;
	bool swap;     /* valid if not v1 */
	uint64_t size; /* size of the header in file order; swap is applied */
};

static inline struct cp_magic
cp_magic_read(const uint8_t *p, size_t n)
{
	struct cp_magic m = { 0 };
	const uint64_t v2 = UINT64_C(0x32454c4946524550);
	uint64_t word;

	if (n < CP_PIPE_HEAD)
		return m;
	word = cp_load64(p, false);
	if (word == v2 || word == __builtin_bswap64(v2)) {
		m.valid = true;
		m.swap = word != v2;
	} else if (memcmp(p, "PERFFILE", 8) == 0) {
		m.valid = m.v1 = true;
		m.swap = cp_load64(p + 8, false) > UINT32_MAX;
	}
	m.size = cp_load64(p + 8, m.swap);
	return m;
}

/*
 * guess.c: reads the magic; if it is damaged, derives it from the bytes after
 * it.
 */
struct cp_magic cp_magic_guess(const struct cp_input *);

#endif
