/* SPDX-License-Identifier: MIT */
/*
 * readers/record/window.h: a bounded, moving view of a byte stream.
 *
 * Callers look at up to CP_WINDOW_MAX contiguous bytes ahead and step over
 * them.  A window is filled either from an input (pull) or by cp_window_push
 * (decompressed bytes).  A regular file is read with pread, never mapped: if it
 * shrinks meanwhile, a read is short.  Memory does not grow with the input,
 * except that a pushed window holds what was pushed and not yet consumed.
 */
#ifndef CP_READERS_RECORD_WINDOW_H
#define CP_READERS_RECORD_WINDOW_H

#include "readers/input.h"

enum { CP_WINDOW_MAX = 256 << 10 };

struct cp_window {
	struct cp_input *in; /* NULL: pushed */
	uint8_t *mem;        /* NULL: nothing has been read */
	size_t cap;
	const uint8_t *at, *end; /* the bytes in view */
	uint64_t offset;         /* offset of `at` in the input */
	uint64_t next;           /* offset of the next read */
	/* the kernel has been asked to read up to here */
	uint64_t asked;
	uint64_t limit; /* offset where the section ends */
	bool ended;     /* no more bytes will be added */
	unsigned slow;  /* reads that had to wait for the input */
	int error;      /* errno of a failed read, or 0 */
};

void cp_window_pull(
    struct cp_window *, struct cp_input *, uint64_t offset, uint64_t limit);
void cp_window_push(struct cp_window *, const void *, size_t n);
void cp_window_free(struct cp_window *);
/*
 * Ends a pulled window and frees its memory: a capture may have thousands of
 * windows.
 */
void cp_window_leave(struct cp_window *);

void cp_window_fill_(struct cp_window *, size_t n);

/* Makes up to n bytes visible; returns the number of bytes in view. */
static inline size_t
cp_window_have(struct cp_window *w, size_t n)
{
	if (CP_UNLIKELY((size_t)(w->end - w->at) < n && !w->ended))
		cp_window_fill_(w, n);
	return (size_t)(w->end - w->at);
}

/* Returns n <= CP_WINDOW_MAX contiguous bytes, or NULL if fewer are left. */
static inline const uint8_t *
cp_window_peek(struct cp_window *w, size_t n)
{
	return cp_window_have(w, n) >= n ? w->at : NULL;
}

/* Steps over n bytes, or those that are left; returns how many. */
uint64_t cp_window_skip(struct cp_window *, uint64_t n);

static inline void
cp_window_step(struct cp_window *w, size_t n)
{
	w->at += n;
	w->offset += n;
}

#endif
