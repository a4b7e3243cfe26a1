/* SPDX-License-Identifier: MIT */
/*
 * base/archive/write.h: writes a tar file, compressed as its name says.
 *
 * The same members give the same bytes: owners and times are fixed, and one
 * thread compresses.  Holes in a file take no room in the archive, and offsets
 * stay valid.
 */
#ifndef CP_BASE_ARCHIVE_WRITE_H
#define CP_BASE_ARCHIVE_WRITE_H

#include "base/mem.h"
#include "base/safe-file.h"

/* Takes all n bytes.  Any value but 0 means failure. */
typedef int (*cp_archive_push)(void *ctx, const void *data, size_t n);

struct cp_archive_writer;

/*
 * Compresses as the end of the name says: .tar not at all, .gz, .tgz and .xz by
 * these, all others by zstd.  NULL if libarchive is missing.
 */
struct cp_archive_writer *cp_archive_writer_new(
    cp_archive_push, void *ctx, const char *name);
void cp_archive_writer_link(
    struct cp_archive_writer *, const char *name, const char *target);
/*
 * Begins a file of `size` bytes, with the permission bits of mode.  The extents
 * in kept are its data, in ascending order; the rest is holes.  n == 0: all is
 * data.  The caller must add all bytes.
 */
void cp_archive_writer_file(struct cp_archive_writer *, const char *name,
    mode_t mode, uint64_t size, const struct cp_extent *kept, size_t n);
void cp_archive_writer_add(struct cp_archive_writer *, const void *, size_t n);
/*
 * Finishes the archive.  Returns NULL, or the error's text, which is valid
 * until the next call of any function.
 */
const char *cp_archive_writer_end(struct cp_archive_writer *);

#endif
