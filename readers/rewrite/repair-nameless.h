/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repair-nameless.h: counters in samples without their ids.
 *
 * perf refuses a file with such an event, and the reader counts nothing by the
 * values.  So they are left out; the period is a field of its own.
 */
#ifndef CP_READERS_REWRITE_REPAIR_NAMELESS_H
#define CP_READERS_REWRITE_REPAIR_NAMELESS_H

#include "readers/rewrite/writer.h"

/* Does the event have one value per sample, without an id? */
bool cp_repair_nameless(const struct cp_attr *);
/* Writes a sample of such an event; false: it is another one. */
bool cp_repair_put_nameless(struct cp_rewriter *, const struct cp_event *);

#endif
