/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/rewrite.h: a capture once more, without the copies of users'
 * stacks and registers, and with the chains that were made of them.
 *
 * Events that had them have a call chain instead, wherever they are described.
 * All other records and features stay as they are, byte for byte; only places
 * in the file change, and compressed records are written as what they hold.
 * Bytes that belong to nothing are zeros, or gone: they could be anything.  Of
 * a folder each file becomes one.
 */
#ifndef CP_READERS_REWRITE_REWRITE_H
#define CP_READERS_REWRITE_REWRITE_H

#include "base/buf.h"
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

/* What the files of it share: one file of the output. */
struct cp_rewrite_moved {
	uint64_t from, to;
};
struct cp_rewriter {
	struct cp_rewrite *r;
	struct cp_capture *src;
	struct cp_buf buf; /* not written yet */
	int fd;
	uint64_t at;                         /* in the output: where buf goes */
	CP_VEC(struct cp_rewrite_moved) aux; /* AUXTRACE records */
	bool swap, failed;
};
void cp_rewrite_put(struct cp_rewriter *, const void *, size_t n);
void cp_rewrite_flush(struct cp_rewriter *);
/* [from, from + n) of the input to that place of the output. */
void cp_rewrite_copy(
    struct cp_rewriter *, uint64_t from, uint64_t n, uint64_t to);
/* Of n bytes from the start of an attr on. */
void cp_rewrite_attr(uint8_t *attr, size_t n, bool swap);
/* rewritefeature.c: features that tell of events, and of places of records. */
bool cp_rewrite_feature(
    struct cp_rewriter *, unsigned bit, struct cp_span, uint64_t to);
/* What EVENT_DESC holds. */
void cp_rewrite_events(uint8_t *p, size_t n, bool swap);
/* rewritefile.c: all but the records; claimed as it was when opened. */
bool cp_rewrite_around(
    struct cp_rewriter *, const struct cp_span *claimed, size_t n);

static inline void
cp_rewrite_store64(uint8_t *p, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

#endif
