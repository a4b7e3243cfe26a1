/* SPDX-License-Identifier: MIT */
/*
 * base/archive/bzip2.h: inflates a stream of bzip2 by libarchive, and sees what
 * comes after its end.  Only for base/archive/inflate.c.
 */
#ifndef CP_BASE_ARCHIVE_BZIP2_H
#define CP_BASE_ARCHIVE_BZIP2_H

#include <sys/types.h>

#include "base/mem.h"

struct cp_bzip2;

/* Gives the next bytes of the input, as cp_inflate_more. */
typedef ssize_t (*cp_bzip2_more)(void *ctx, const uint8_t **);

/* NULL: libarchive is missing. */
struct cp_bzip2 *cp_bzip2_new(cp_bzip2_more, void *ctx);
void cp_bzip2_free(struct cp_bzip2 *);
/* Inflates up to n bytes; results as those of cp_inflate_read(). */
ssize_t cp_bzip2_read(struct cp_bzip2 *, void *to, size_t n);
/* NULL: reading failed. */
const char *cp_bzip2_why(const struct cp_bzip2 *);

#endif
