/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/rewrite.h: writes a capture again, with call chains instead
 * of the copies of users' stacks and registers.
 *
 * readers/rewrite/ may use header/ and record/.  Begin at cp_rewrite(), which
 * walks the records; the other parts of a file are in file.c.
 *
 * Events that had user data get a call chain, in their attrs and in EVENT_DESC.
 * All other records and features are copied byte for byte, except that offsets
 * in the file change and compressed records are written inflated.  Bytes
 * outside of all sections and records become zeros or are left out, because
 * they could hold user data.  Each file of a directory becomes one file.
 */
#ifndef CP_READERS_REWRITE_REWRITE_H
#define CP_READERS_REWRITE_REWRITE_H

#include "readers/reader.h"

/*
 * Writes the chain that a sample shall have, at most max words, and returns
 * their number; 0: keep the recorded chain.
 */
typedef size_t (*cp_rewrite_chain)(
    void *ctx, const struct cp_event *, uint64_t *words, size_t max);

struct cp_rewrite {
	cp_rewrite_chain chain;
	void *ctx;
	/* keep registers and stack as empty fields */
	bool fields;
	/* samples of unknown events, left out: they may hold stacks */
	uint64_t dropped;
	CP_VEC(int)
	/* the files written, by source; the caller closes them */
	files;
};

/*
 * src must be opened and not read from.  Returns NULL, or why it cannot be
 * done.
 */
const char *cp_rewrite(struct cp_rewrite *, struct cp_capture *src);

#endif
