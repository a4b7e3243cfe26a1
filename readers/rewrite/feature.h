/* SPDX-License-Identifier: MIT */
/* readers/rewrite/feature.h: features that tell of events or of places. */
#ifndef CP_READERS_REWRITE_FEATURE_H
#define CP_READERS_REWRITE_FEATURE_H

#include "readers/rewrite/writer.h"

/* Changes the feature, if it needs that; false: it cannot be read. */
bool cp_rewrite_feature(
    struct cp_rewriter *, unsigned bit, struct cp_file_span, uint64_t to);
/* Changes what EVENT_DESC holds. */
void cp_rewrite_events(uint8_t *p, size_t n, bool swap);

#endif
