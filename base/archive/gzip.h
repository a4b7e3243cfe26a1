/* SPDX-License-Identifier: MIT */
/*
 * base/archive/gzip.h: inflates a gzip stream and verifies its CRC and size,
 * which libarchive does not read.
 */
#ifndef CP_BASE_ARCHIVE_GZIP_H
#define CP_BASE_ARCHIVE_GZIP_H

#include <sys/types.h>

#include "base/mem.h"

struct cp_gzip;

/* True if the first bytes are those of a gzip stream. */
bool cp_gzip_bid(const uint8_t *head, size_t n);

/*
 * Returns the next n input bytes, with 0 at the end, or a negative number.
 * They stay valid until the next call.
 */
typedef ssize_t (*cp_gzip_more)(void *ctx, const uint8_t **);

struct cp_gzip *cp_gzip_new(cp_gzip_more, void *ctx);
void cp_gzip_free(struct cp_gzip *);
/*
 * Inflates some bytes, which stay valid until the next call.  0: the end of the
 * last member, which is whole.  Negative: cp_gzip_why() tells why, or reading
 * failed.
 */
ssize_t cp_gzip_read(struct cp_gzip *, const void **out);
const char *cp_gzip_why(const struct cp_gzip *);

#endif
