/* SPDX-License-Identifier: MIT */
/*
 * model/held.h: memory for the copies of events that are kept back.
 *
 * Events come and go nearly in the same order, millions of them, so their
 * copies lie one behind the other in blocks; a block is used again when the
 * last of them is gone.
 */
#ifndef CP_MODEL_HELD_H
#define CP_MODEL_HELD_H

#include "model/event.h"

struct cp_held_block {
	struct cp_held_block *next; /* of those that are free */
	size_t live; /* copies in it */
	size_t used, size; /* bytes behind this struct */
};

struct cp_held {
	struct cp_held_block *current; /* NULL: none yet */
	struct cp_held_block *spare;
	size_t n_spare;
	size_t bytes; /* of the copies that are held */
};

struct cp_event *cp_held_copy(struct cp_held *, const struct cp_event *);
const uint8_t *cp_held_bytes(struct cp_held *, const void *, size_t n);
/* Of a copy of n bytes; for an event that is what `copied` says. */
void cp_held_drop(struct cp_held *, const void *, size_t n);
/* After the last event was dropped. */
void cp_held_free(struct cp_held *);

#endif
