/* SPDX-License-Identifier: MIT */
/* readers/record/trial.h: which copy of the event descriptions is right? */
#ifndef CP_READERS_RECORD_TRIAL_H
#define CP_READERS_RECORD_TRIAL_H

#include "model/recording.h"
#include "readers/input.h"

/*
 * Compares the events with their copy in EVENT_DESC.  If their layouts differ,
 * and more of the records from `from` to `end` agree with the copy, it takes
 * the place of the events, after a diagnostic at `offset`.  Ids that only the
 * copy has are added.  CP_FAIL if there is no event.
 */
int cp_trial(struct cp_recording *, struct cp_input *, uint64_t from,
    uint64_t end, struct cp_diags *, uint64_t offset) CP_MUST_USE;

#endif
