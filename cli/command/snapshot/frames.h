/* SPDX-License-Identifier: MIT */
/*
 * cli/command/snapshot/frames.h: a file, compressed by zstd in several threads.
 *
 * Pieces of one size are a frame each, so the same bytes give the same result
 * however many threads there are.  They work while the capture is read.
 */
#ifndef CP_CLI_COMMAND_SNAPSHOT_FRAMES_H
#define CP_CLI_COMMAND_SNAPSHOT_FRAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"

/* Reading the capture takes as long as one or two threads need. */
enum { CP_FRAMES_THREADS = 4 };

struct cp_frames_one;

struct cp_frames {
	int fd; /* -1: not started */
	uint64_t size;
	atomic_size_t taken; /* pieces that a thread has begun */
	atomic_bool stop;    /* nothing more is wanted */
	size_t started;      /* threads */
	pthread_t thread[CP_FRAMES_THREADS];
	pthread_mutex_t lock; /* protects the fields below */
	struct cp_frames_one *frame;
	size_t n, moved; /* frames; of them in out */
	struct cp_buf out;
};

/*
 * Begins to compress the file in jobs - 1 threads, or as many as it needs; fd
 * may be closed by the caller.
 */
void cp_frames_start(struct cp_frames *, int fd, uint64_t size, unsigned jobs);
/*
 * Compresses the rest, in this thread too.  False: not all of the file was
 * read, or the result is too large, and *out is empty.
 */
bool cp_frames_end(struct cp_frames *, struct cp_buf *out);
/* Ends without a result; may be called if it was not started. */
void cp_frames_drop(struct cp_frames *);

#endif
