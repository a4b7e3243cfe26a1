/* SPDX-License-Identifier: MIT */
/*
 * base/archive/inflate.h: inflates a stream of gzip, xz, zstd or bzip2 and
 * verifies its checksums.
 *
 * libarchive could, but reads no CRC of gzip, and of a damaged stream it drops
 * what it had inflated of the last block.
 */
#ifndef CP_BASE_ARCHIVE_INFLATE_H
#define CP_BASE_ARCHIVE_INFLATE_H

#include <sys/types.h>

#include "base/mem.h"

struct cp_inflate;

/*
 * Returns the next n input bytes, with 0 at the end, or a negative number.
 * They stay valid until the next call.
 */
typedef ssize_t (*cp_inflate_more)(void *ctx, const uint8_t **);

/* Returns NULL if the first bytes are those of no such stream. */
struct cp_inflate *cp_inflate_new(
    const uint8_t *head, size_t n, cp_inflate_more, void *ctx);
void cp_inflate_free(struct cp_inflate *);
/*
 * Inflates some bytes, which stay valid until the next call.  0: the end of the
 * last member, which is whole.  Negative: cp_inflate_why() tells why, or
 * reading failed.
 */
ssize_t cp_inflate_read(struct cp_inflate *, const void **out);
const char *cp_inflate_why(const struct cp_inflate *);

#endif
