/* SPDX-License-Identifier: MIT */
/* readers/header/copies.h: the second copy of the event descriptions. */
#ifndef CP_READERS_HEADER_COPIES_H
#define CP_READERS_HEADER_COPIES_H

#include "model/recording.h"

/* Makes events from EVENT_DESC; leaves out those that cannot be decoded. */
void cp_copy_make(
    const struct cp_info *, struct cp_evsels *, struct cp_diags *);
/* Are the events the same, and their records laid out the same? */
bool cp_copy_alike(const struct cp_evsels *, const struct cp_evsels *);
/* Has each id an event of the same number? */
bool cp_copy_same_ids(const struct cp_evsels *, const struct cp_evsels *);
/*
 * Adds ids of EVENT_DESC that the events lack, and returns how many; copy: made
 * of EVENT_DESC.
 */
uint32_t cp_copy_ids(struct cp_recording *, const struct cp_evsels *copy,
    struct cp_diags *, uint64_t offset);
/* Takes names away that EVENT_DESC gives to other events. */
void cp_copy_unname(struct cp_recording *);

#endif
