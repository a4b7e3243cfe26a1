/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-counter.h: values of counters in samples. */
#ifndef CP_READERS_REWRITE_REPAIR_COUNTER_H
#define CP_READERS_REWRITE_REPAIR_COUNTER_H

#include "model/event.h"
#include "model/evsel.h"

struct cp_repair_counters {
	uint64_t unknown, known; /* values of ids of no event, and others */
	uint64_t id;             /* the first that is unknown */
	uint32_t size;           /* of the sample without the unknown values */
};

/* Counts a sample's values. */
struct cp_repair_counters cp_repair_counters(
    const struct cp_evsels *, const struct cp_event *);
/* The id of a sample's value i; false if it has no such value. */
bool cp_repair_counter_id(const struct cp_evsels *, const struct cp_event *,
    uint64_t i, uint64_t *id);
/* Writes the sample without the unknown values, after its header. */
void cp_repair_without(
    const struct cp_evsels *, const struct cp_event *, uint8_t *copy);

#endif
