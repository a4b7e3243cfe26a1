/* SPDX-License-Identifier: MIT */
/* symbolize/unwind/objects.h: the mapping and the object of an address. */
#ifndef CP_SYMBOLIZE_UNWIND_OBJECTS_H
#define CP_SYMBOLIZE_UNWIND_OBJECTS_H

#include "symbolize/unwind/walk.h"

/* The mapping that an address is in, or NULL. */
const struct cp_map *cp_walk_map(struct cp_unwind_walk *, uint64_t pc);
/* The object, looked for when it is first asked for. */
struct cp_unwind_object *cp_walk_object(struct cp_unwind_walk *, uint32_t dso);
/* Is that in the code where a program begins, which nobody has called? */
bool cp_walk_begins(struct cp_unwind_walk *, uint64_t pc);

#endif
