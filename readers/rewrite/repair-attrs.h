/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-attrs.h: the descriptions of events. */
#ifndef CP_READERS_REWRITE_REPAIR_ATTRS_H
#define CP_READERS_REWRITE_REPAIR_ATTRS_H

#include "model/recording.h"
#include "readers/rewrite/repaired.h"
#include "readers/rewrite/writer.h"

/* Counts a sample of the event. */
void cp_repair_count(struct cp_repair *, uint32_t evsel);
/* The size of an attr in the new file. */
uint32_t cp_repair_attr_size(const struct cp_evsels *);
/* Writes the ids and then the entries that refer to them. */
struct cp_file_span cp_repair_attrs(
    const struct cp_repair *, struct cp_rewriter *);
/* Makes the feature EVENT_DESC, which has the names. */
void cp_repair_names(struct cp_repair *, const struct cp_recording *);
/*
 * Are the attrs of all events with samples noise, or without samples those of
 * all events?  A noisy attr has several unknown bits in sample_type.
 */
bool cp_repair_all_noise(const struct cp_repair *, const struct cp_evsels *);
/* Do events have their ids at different places? */
bool cp_repair_differ(const struct cp_evsels *);

#endif
