/* SPDX-License-Identifier: MIT */
/*
 * readers/record/view.h: a part of a file, mapped, that survives the file.
 *
 * Copying a capture costs more than all that is done with it: of a stack that
 * was dumped whole, a quarter is looked at.  But a file that shrinks while it
 * is mapped sends SIGBUS to whom touches it.  Here the signal puts zeros in
 * the place of what is gone, and the view is "lost": its owner reads on by
 * pread() from the last record that it trusts, and that says what happened.
 * Only the record that the file ends in since may have been taken for whole.
 */
#ifndef CP_READERS_RECORD_VIEW_H
#define CP_READERS_RECORD_VIEW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/block.h"

/*
 * Offsets of views are multiples of the step, a large page, which is mapped as
 * one where the file's content lies in memory as one; what is beyond two steps
 * has room for the record that begins there, so that none of them is mapped
 * twice.  What was looked at, and what was mapped with it, counts as memory of
 * ours.
 */
enum { CP_VIEW_STEP = 2 << 20, CP_VIEW_SIZE = 2 * CP_VIEW_STEP + (64 << 10) };

struct cp_view {
	_Atomic(uint8_t *) from; /* NULL: the slot is free */
	_Atomic size_t size;
	struct cp_block block; /* lost: some of it has been replaced */
};

/* Bytes of a regular file, n <= CP_VIEW_SIZE, all of which it has; NULL: no. */
struct cp_view *cp_view_open(int fd, uint64_t offset, size_t n);
/* When others have done with it, too. */
void cp_view_close(struct cp_view *);

static inline const uint8_t *
cp_view_bytes(const struct cp_view *v)
{
	return atomic_load(&v->from);
}

static inline bool
cp_view_lost(const struct cp_view *v)
{
	return cp_block_lost(&v->block);
}

#endif
