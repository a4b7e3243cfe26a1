/* SPDX-License-Identifier: MIT */
/*
 * cli/command/snapshot/compress.h: members of a snapshot, compressed by zstd
 * as one frame, piece by piece.
 */
#ifndef CP_CLI_COMMAND_SNAPSHOT_COMPRESS_H
#define CP_CLI_COMMAND_SNAPSHOT_COMPRESS_H

#include "base/buf.h"

struct ZSTD_CCtx_s;

struct cp_compress {
	struct ZSTD_CCtx_s *zstd;
	struct cp_buf out;
};

/* Returns what compresses that many bytes; the caller frees it. */
struct ZSTD_CCtx_s *cp_compress_context(uint64_t size);
/* Begins.  size: the bytes that will be added, which decides the level. */
void cp_compress_begin(struct cp_compress *, uint64_t size);
void cp_compress_add(struct cp_compress *, const void *, size_t n);
/* A cp_out_fn whose ctx is a struct cp_compress. */
int cp_compress_sink(void *ctx, const void *, size_t n);
/*
 * Returns the compressed bytes, which the caller owns; `full' is set if they
 * are too many.
 */
struct cp_buf cp_compress_end(struct cp_compress *);

#endif
