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
/* The new file as a capture. */
struct cp_again {
	struct cp_capture capture;
	struct cp_recording *rec;
	struct cp_diags *diags;
	struct cp_quality quality;
};

/* Close it even where it could not be opened. */
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
