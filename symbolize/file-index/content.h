/* SPDX-License-Identifier: MIT */
/*
 * symbolize/file-index/content.h: the bytes of an indexed file, on disk, in a
 * bundle, or compressed.
 */
#ifndef CP_SYMBOLIZE_FILE_INDEX_CONTENT_H
#define CP_SYMBOLIZE_FILE_INDEX_CONTENT_H

#include "symbolize/file-index/index.h"

/* Maps the file; a packed one is inflated, and a limit that it meets said. */
bool cp_symindex_content(
    struct cp_symindex *, const struct cp_indexed *, struct cp_content *);
/*
 * Reads the build ID of an ELF file; a packed one gets the name that it has
 * without ".xz".  Any other file becomes CP_INDEXED_NOTHING.
 */
void cp_symindex_describe(struct cp_symindex *, struct cp_indexed *);
/* Returns a writable copy of at most max bytes. */
bool cp_symindex_read(struct cp_symindex *, const struct cp_indexed *,
    size_t max, struct cp_content *);

/* A part of an open file, from which an archive is read. */
struct cp_fd_span {
	int fd;
	uint64_t offset, size;
};
/* Reads from a struct cp_fd_span, for cp_archive_open(). */
ssize_t cp_fd_span_pull(void *span, void *buf, size_t n, uint64_t offset);
/* Returns the span's size, limited to the end of the file. */
uint64_t cp_fd_span_size(const struct cp_fd_span *);
/*
 * Inflates a compressed file.  False if it is not compressed, or an archive;
 * errno is EFBIG if it inflates to more than allowed.
 */
bool cp_fd_span_inflate(struct cp_fd_span, struct cp_content *);

#endif
