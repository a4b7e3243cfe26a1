/* SPDX-License-Identifier: MIT */
/*
 * base/spill/spill.h: bytes that are added at the end and read later, most of
 * them in a temporary file without a name.
 *
 * coldperf/plugin.h has what analyses call.
 *
 * Few bytes stay in memory, and so do all if the file cannot be written.
 */
#ifndef CP_BASE_SPILL_SPILL_H
#define CP_BASE_SPILL_SPILL_H

#include <coldperf/tally.h>

#include "base/buf.h"

struct cp_spill {
	struct cp_buf rest; /* the bytes from `stored' on */
	uint64_t stored;    /* bytes in the file */
	int fd;             /* -1: no file was needed */
	bool stuck;         /* the file cannot be written */
};

void cp_spill_init(struct cp_spill *);
/* Passes all bytes, in pieces; false: the file cannot be read. */
bool cp_spill_each(const struct cp_spill *,
    void (*fn)(void *ctx, const void *, size_t n), void *ctx);
void cp_spill_free(struct cp_spill *);

static inline uint64_t
cp_spill_size(const struct cp_spill *s)
{
	return s->stored + s->rest.len;
}

#endif
