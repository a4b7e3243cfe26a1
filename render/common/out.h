/* SPDX-License-Identifier: MIT */
/*
 * render/common/out.h: the buffered sink that renderers write to.
 *
 * The sink calls a callback with the bytes; it knows no files.  After a failure
 * further writes are dropped, and cp_out_end() fails.
 */
#ifndef CP_RENDER_COMMON_OUT_H
#define CP_RENDER_COMMON_OUT_H

#include "base/buf.h"

/* Takes all n bytes and returns 0, or fails. */
typedef int (*cp_out_fn)(void *ctx, const void *data, size_t n);

struct cp_out {
	cp_out_fn write;
	void *ctx;
	bool failed;
	size_t len; /* bytes buffered in data */
	char data[16384];
};

void cp_out_init(struct cp_out *, cp_out_fn, void *ctx);
void cp_out_add(struct cp_out *, const void *, size_t n);
void cp_out_str(struct cp_out *, const char *);
void cp_out_char(struct cp_out *, char);
void cp_out_repeat(struct cp_out *, const char *, size_t times);
void cp_out_u64(struct cp_out *, uint64_t);
void cp_out_printf(struct cp_out *, const char *, ...) CP_PRINTF(2, 3);
/* Flushes the buffer.  CP_FAIL if the sink refused anything. */
int cp_out_end(struct cp_out *) CP_MUST_USE;

/* A cp_out_fn whose ctx is a struct cp_buf; fails when the buffer is full. */
int cp_out_to_buf(void *ctx, const void *data, size_t n);

#endif
