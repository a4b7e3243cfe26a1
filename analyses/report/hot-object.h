/* SPDX-License-Identifier: MIT */
/* analyses/report/hot-object.h: the file that has most of an event's samples.
 */
#ifndef CP_ANALYSES_REPORT_HOT_OBJECT_H
#define CP_ANALYSES_REPORT_HOT_OBJECT_H

#include "analyses/report/symbols.h"
#include "analyses/summary/brief-part.h"

/* The heaviest code, which was told; entity: CP_NO_ID if there is none. */
struct cp_hot_code {
	uint32_t entity;
	uint64_t weight; /* with the library code that it calls */
	bool flat;       /* it is little */
};

/*
 * Finds the heaviest object: a library with a known role, or one whose
 * functions have no names, if the heaviest code does not say as much.
 */
void cp_hot_object_show(struct cp_overview *, const struct cp_hot_code *,
    const char *verb, struct cp_brief_lines *);
/* The part of the entity's own weight that is of CPUs without work. */
uint64_t cp_idle_weight(const struct cp_overview *, uint32_t entity);

#endif
