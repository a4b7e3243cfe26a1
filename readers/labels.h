/* SPDX-License-Identifier: MIT */
/* readers/labels.h: the manifest of a bundle, and the labels in it. */
#ifndef CP_READERS_LABELS_H
#define CP_READERS_LABELS_H

#include "base/archive/read.h"
#include "base/buf.h"
#include "model/info.h"

/* Reads a member whose first n bytes are known. */
void cp_labels_manifest(
    struct cp_archive *, const void *head, size_t n, struct cp_buf *);
/* Reads the first member of a bundle, if it is the manifest. */
void cp_labels_first(cp_archive_pull, void *ctx, struct cp_buf *);
/* Adds the labels that capture gave to the bundle as facts. */
void cp_labels_take(const struct cp_buf *, struct cp_info *);

#endif
