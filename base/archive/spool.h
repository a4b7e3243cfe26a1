/* SPDX-License-Identifier: MIT */
/*
 * base/archive/spool.h: members of archives, copied to one temporary file
 * without a name.
 */
#ifndef CP_BASE_ARCHIVE_SPOOL_H
#define CP_BASE_ARCHIVE_SPOOL_H

#include "base/archive/read.h"
#include "base/safe-file.h"

/* One unlinked temporary file that holds the contents of members. */
struct cp_spool {
	int fd; /* -1: not made yet */
	uint64_t used;
	struct cp_origin from; /* the archive; 0: not known */
	int error;             /* errno of the write that failed; 0: none did */
};
struct cp_spooled {
	/* offset is a multiple of 64 KiB, as mmap() wants it */
	uint64_t offset, size;
};
/*
 * Copies head and the rest of the member to the temporary file.  Returns false
 * if writing failed or CP_MAX_SPOOL was hit.  *out tells where the copy is; the
 * next member is written after it.
 */
bool cp_spool_member(struct cp_spool *, struct cp_archive *, const void *head,
    size_t n, struct cp_spooled *out);
void cp_spool_close(struct cp_spool *);

#endif
