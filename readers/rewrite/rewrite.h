/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/rewrite.h: a capture once more, without the copies of users'
 * stacks and registers, and with the chains that were made of them.
 *
 * readers/rewrite/ may use header/ and record/.  Begin at cp_rewrite(), which
 * walks the records; what lies around them is file.c.
 *
 * Events that had them have a call chain instead, wherever they are described.
 * All other records and features stay as they are, byte for byte; only places
 * in the file change, and compressed records are written as what they hold.
 * Bytes that belong to nothing are zeros, or gone: they could be anything.  Of
 * a folder each file becomes one.
 */
#ifndef CP_READERS_REWRITE_REWRITE_H
#define CP_READERS_REWRITE_REWRITE_H

#include "readers/reader.h"

/*
 * Puts the chain of a sample as it is to be recorded, up to max words, and
 * gives their number; 0: it stays as it is.
 */
typedef size_t (*cp_rewrite_chain)(
    void *ctx, const struct cp_event *, uint64_t *words, size_t max);

struct cp_rewrite {
	cp_rewrite_chain chain;
	void *ctx;
	uint64_t dropped; /* samples of unknown events, which may hold stacks */
	CP_VEC(int) files; /* what was written, by source; the caller's */
};

/* src was opened and not read from; NULL, or why it cannot be done. */
const char *cp_rewrite(struct cp_rewrite *, struct cp_capture *src);

#endif
