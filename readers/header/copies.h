/* SPDX-License-Identifier: MIT */
/* readers/header/copies.h: the second copy of the event descriptions. */
#ifndef CP_READERS_HEADER_COPIES_H
#define CP_READERS_HEADER_COPIES_H

#include "model/recording.h"

/* Makes events from EVENT_DESC; leaves out those that cannot be decoded. */
void cp_copy_make(
    const struct cp_info *, struct cp_evsels *, struct cp_diags *);
/* Are records laid out the same by both? */
bool cp_copy_alike(const struct cp_evsels *, const struct cp_evsels *);
/* Adds ids of EVENT_DESC that the events lack; copy: made of EVENT_DESC. */
void cp_copy_ids(struct cp_recording *, const struct cp_evsels *copy,
    struct cp_diags *, uint64_t offset);

#endif
