/* SPDX-License-Identifier: MIT */
/*
 * cli/command/snapshot/compress.h: members of a snapshot, compressed by zstd
 * piece by piece.
 *
 * A file can be compressed in a thread of its own while the capture is read.
 * The same bytes give the same result either way.
 */
#ifndef CP_CLI_COMMAND_SNAPSHOT_COMPRESS_H
#define CP_CLI_COMMAND_SNAPSHOT_COMPRESS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"

struct ZSTD_CCtx_s;

struct cp_compress {
	struct ZSTD_CCtx_s *zstd;
	struct cp_buf out;
};

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

struct cp_compress_file {
	struct cp_compress c;
	int fd; /* -1: not started */
	uint64_t size;
	bool whole; /* all of the file was read */
	bool threaded;
	atomic_bool stop;
	pthread_t thread;
};

/*
 * Begins to compress the file; fd may be closed by the caller.  parallel: in a
 * thread of its own, from now on.
 */
void cp_compress_file_start(
    struct cp_compress_file *, int fd, uint64_t size, bool parallel);
/*
 * Compresses the rest.  False: not all of the file was read, and *out is empty.
 */
bool cp_compress_file_end(struct cp_compress_file *, struct cp_buf *out);
/* Ends without a result; may be called if it was not started. */
void cp_compress_file_drop(struct cp_compress_file *);

#endif
