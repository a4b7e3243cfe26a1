/* SPDX-License-Identifier: MIT */
/*
 * readers/input.h: where the bytes come from, a regular file or a stream.
 *
 * Captures are read with pread, never mapped: a file that shrinks gives a
 * short read.
 */
#ifndef CP_READERS_INPUT_H
#define CP_READERS_INPUT_H

#include <sys/types.h>

#include "base/diag.h"

enum { CP_INPUT_HEAD = 512 }; /* the magic of a tar file is at offset 257 */

struct cp_input {
	const char *path; /* for messages */
	int fd;
	bool seekable; /* a regular file, of which `size` bytes are read */
	bool directory;
	uint64_t size;
	int error; /* errno of the first read that failed, or 0 */
	/* The first bytes; those of a stream were read from it already. */
	uint8_t head[CP_INPUT_HEAD];
	size_t head_len;
};

/* Opens a path; "-" is standard input.  CP_FAIL after a diagnostic. */
int cp_input_open(
    struct cp_input *, const char *path, struct cp_diags *) CP_MUST_USE;
/* Opens a regular file in the directory dir. */
int cp_input_open_in(struct cp_input *, int dir, const char *name,
    struct cp_diags *) CP_MUST_USE;
/* Uses a descriptor, which it then owns. */
int cp_input_adopt(
    struct cp_input *, int fd, const char *path, struct cp_diags *) CP_MUST_USE;
/*
 * Copies a stream to an unlinked temporary file and reads that from then on.
 * Takes at most CP_MAX_SPOOL bytes.
 */
int cp_input_spool(struct cp_input *, struct cp_diags *) CP_MUST_USE;
void cp_input_close(struct cp_input *);

/*
 * Reads up to n bytes at offset; a stream gives its next bytes and ignores the
 * offset.  Returns fewer only at the end or before an error, which is then in
 * `error`, and -1 with errno if there is nothing before it.
 */
ssize_t cp_input_read(struct cp_input *, void *buf, size_t n, uint64_t offset);

#endif
