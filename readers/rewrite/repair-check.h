/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-check.h: reads what was written once more. */
#ifndef CP_READERS_REWRITE_REPAIR_CHECK_H
#define CP_READERS_REWRITE_REPAIR_CHECK_H

#include "readers/reader.h"
#include "readers/rewrite/repaired.h"

/* As many as the reader looks at after a sample, so it sees nothing else. */
enum { CP_REPAIR_MARKS = 4 };

/* Adds a sample to a digest. */
uint64_t cp_repair_digest(uint64_t, const struct cp_event *);
/* Has the new file the samples that were written, in their order? */
bool cp_repair_reads_back(
    const struct cp_repair *, const struct cp_capture *src);

#endif
