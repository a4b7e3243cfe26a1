/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/snapshot-lost.h: where the stacks of a snapshot have a frame
 * that stands for a lost caller.
 */
#ifndef CP_SYMBOLIZE_OBJECT_SNAPSHOT_LOST_H
#define CP_SYMBOLIZE_OBJECT_SNAPSHOT_LOST_H

#include <stdint.h>

#include "base/vec.h"

struct cp_snapshot_place {
	uint64_t object, addr;
};

/* A frame for a caller that chains of frame pointers lack, and where it is. */
struct cp_snapshot_lost {
	struct cp_snapshot_place below, above, frame;
	uint8_t flags; /* of the frame */
};

typedef CP_VEC(struct cp_snapshot_lost) cp_snapshot_losses;

void cp_snapshot_lost_sort(cp_snapshot_losses *);
/* See cp_snapshot_lost(); they must be sorted. */
const struct cp_snapshot_lost *cp_snapshot_lost_find(const cp_snapshot_losses *,
    struct cp_snapshot_place below, const struct cp_snapshot_place *above);

#endif
