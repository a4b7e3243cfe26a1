/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-check.h: reads the new file to check it. */
#ifndef CP_READERS_REWRITE_REPAIR_CHECK_H
#define CP_READERS_REWRITE_REPAIR_CHECK_H

#include "readers/reader.h"
#include "readers/rewrite/repaired.h"

/*
 * Number of marks written at a gap.  The reader looks at this many records
 * after a sample, so it does not see across the gap.
 */
enum { CP_REPAIR_MARKS = 4 };

/* Adds a sample to a digest. */
uint64_t cp_repair_digest(uint64_t, const struct cp_event *);
/* The new file as a capture. */
struct cp_again {
	struct cp_capture capture;
	struct cp_recording *rec;
	struct cp_diags *diags;
	struct cp_quality quality;
};

/* Opens the new file.  The caller must close it even if this fails. */
bool cp_again_open(
    struct cp_again *, const struct cp_repair *, const struct cp_capture *src);
void cp_again_close(struct cp_again *);

enum cp_repair_read {
	CP_REPAIR_OTHER,   /* not the samples that were written, in order */
	CP_REPAIR_DAMAGED, /* these samples, but the reader finds damage */
	CP_REPAIR_SOUND,
};

enum cp_repair_read cp_repair_reads_back(
    const struct cp_repair *, const struct cp_capture *src);

#endif
