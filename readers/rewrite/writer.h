/* SPDX-License-Identifier: MIT */
/* readers/rewrite/writer.h: writes one file of the new capture. */
#ifndef CP_READERS_REWRITE_WRITER_H
#define CP_READERS_REWRITE_WRITER_H

#include "base/buf.h"
#include "readers/reader.h"

struct cp_rewrite;

struct cp_rewrite_moved {
	uint64_t from, to;
};
/* One file of the output. */
struct cp_rewriter {
	struct cp_rewrite *r; /* rewrite.h */
	struct cp_capture *src;
	struct cp_buf buf; /* not written yet */
	int fd;
	/* offset in the output of the start of buf */
	uint64_t at;
	CP_VEC(struct cp_rewrite_moved)
	/* old and new offsets of AUXTRACE records */
	aux;
	bool swap, failed;
	bool fields; /* as cp_rewrite.fields */
};
/* The fields that are removed from samples. */
#define CP_REWRITE_USER_DATA (CP_SAMPLE_REGS_USER | CP_SAMPLE_STACK_USER)

/* Allocates the buffer. */
void cp_rewrite_buffer(struct cp_rewriter *);
void cp_rewrite_put(struct cp_rewriter *, const void *, size_t n);
/* Numbers in the byte order of the capture. */
void cp_rewrite_put16(struct cp_rewriter *, uint16_t);
void cp_rewrite_put32(struct cp_rewriter *, uint32_t);
void cp_rewrite_put64(struct cp_rewriter *, uint64_t);
/* The head of the record, with another size. */
void cp_rewrite_head(
    struct cp_rewriter *, const struct cp_event *, uint32_t size);
void cp_rewrite_flush(struct cp_rewriter *);
/* Copies [from, from + n) of the input to that offset of the output. */
void cp_rewrite_copy(
    struct cp_rewriter *, uint64_t from, uint64_t n, uint64_t to);
/* Removes user data from an attr, of which the first n bytes are given. */
void cp_rewrite_attr(const struct cp_rewriter *, uint8_t *attr, size_t n);
static inline void
cp_rewrite_store64(uint8_t *p, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	memcpy(p, &v, sizeof(v));
}

/* file.c: writes all parts of a file but the records. */

/*
 * Writes these parts around the records; src's claims must be those of its
 * opening.
 */
bool cp_rewrite_around(
    struct cp_rewriter *, const struct cp_file_span *claimed, size_t n);

#endif
