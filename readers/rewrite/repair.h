/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repair.h: writes the readable parts of a damaged capture to a
 * file without damage.
 *
 * The result is a seekable perf.data of the same byte order, whatever the input
 * was: header, the records that were read, the features that are sound, ids,
 * event descriptions.  Records are copied, compressed ones inflated.  The
 * records by which a pipe describes itself become attrs and features.
 */
#ifndef CP_READERS_REWRITE_REPAIR_H
#define CP_READERS_REWRITE_REPAIR_H

#include "readers/reader.h"
#include "readers/rewrite/repaired.h"

/*
 * src must be opened and not read from.  Returns NULL, or why it cannot be
 * done.
 */
const char *cp_repair(struct cp_repair *, struct cp_capture *src);
/* The bytes of damage that the new file lacks. */
uint64_t cp_repair_left_out(
    const struct cp_repair *, const struct cp_quality *);
void cp_repair_free(struct cp_repair *);

#endif
