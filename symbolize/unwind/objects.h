/* SPDX-License-Identifier: MIT */
/*
 * symbolize/unwind/objects.h: finds the mapping and the object of an address.
 */
#ifndef CP_SYMBOLIZE_UNWIND_OBJECTS_H
#define CP_SYMBOLIZE_UNWIND_OBJECTS_H

#include "symbolize/unwind/walk.h"

/* The mapping that contains pc, or NULL. */
const struct cp_map *cp_walk_map(struct cp_unwind_walk *, uint64_t pc);
/* The object, looked for on first use. */
struct cp_unwind_object *cp_walk_object(struct cp_unwind_walk *, uint32_t dso);
/* True if pc is in a program's start code, which has no caller. */
bool cp_walk_begins(struct cp_unwind_walk *, uint64_t pc);

#endif
