/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/tar.h: writes a tar file that is not compressed; its
 * owners, modes and times are fixed.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_TAR_H
#define CP_RENDER_EXPORT_SNAPSHOT_TAR_H

#include "render/common/out.h"

/* Adds a file; names have at most 99 bytes, sizes are below 8 GiB. */
void cp_tar_file(
    struct cp_out *, const char *name, const void *data, size_t size);
/* The same in pieces: between these calls `size' bytes are added. */
void cp_tar_begin(struct cp_out *, const char *name, uint64_t size);
void cp_tar_pad(struct cp_out *, uint64_t size);
void cp_tar_end(struct cp_out *);

#endif
