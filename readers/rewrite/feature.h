/* SPDX-License-Identifier: MIT */
/* readers/rewrite/feature.h: features that contain attrs or offsets. */
#ifndef CP_READERS_REWRITE_FEATURE_H
#define CP_READERS_REWRITE_FEATURE_H

#include "readers/rewrite/writer.h"

/*
 * Corrects the feature if it contains either.  Returns false if it cannot be
 * read.
 */
bool cp_rewrite_feature(
    struct cp_rewriter *, unsigned bit, struct cp_file_span, uint64_t to);
/* Removes user data from the attrs in EVENT_DESC. */
void cp_rewrite_events(const struct cp_rewriter *, uint8_t *p, size_t n);

#endif
