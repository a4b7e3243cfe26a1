/* SPDX-License-Identifier: MIT */
/*
 * readers/rewrite/repair-ids.h: ids of events that the new file needs.
 *
 * Samples show ids that the damaged header lost; an event of which no sample
 * shows one gets an id that no record has.
 */
#ifndef CP_READERS_REWRITE_REPAIR_IDS_H
#define CP_READERS_REWRITE_REPAIR_IDS_H

#include "model/event.h"
#include "model/evsel.h"
#include "readers/rewrite/repaired.h"

/* Keeps the ids of a sample that is written. */
void cp_repair_keep_ids(
    struct cp_repair *, const struct cp_evsels *, const struct cp_event *);
/* After the last record: adds them to the events, and makes those that lack. */
void cp_repair_add_ids(const struct cp_repair *, struct cp_evsels *);

#endif
