/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-newer.h: fields of samples newer than perf 6.1. */
#ifndef CP_READERS_REWRITE_REPAIR_NEWER_H
#define CP_READERS_REWRITE_REPAIR_NEWER_H

#include "model/event.h"
#include "model/evsel.h"

/* Clears the bits of fields that are left out. */
void cp_repair_older(struct cp_attr *);
/*
 * Removes the counters of branches from a sample, whose bytes are then in the
 * copy, of CP_MAX_RECORD bytes.  False: it has none.
 */
bool cp_repair_shorten(
    const struct cp_evsels *, struct cp_event *, uint8_t *copy);

#endif
