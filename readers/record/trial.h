/* SPDX-License-Identifier: MIT */
/* readers/record/trial.h: which copy of the event descriptions is right? */
#ifndef CP_READERS_RECORD_TRIAL_H
#define CP_READERS_RECORD_TRIAL_H

#include "model/recording.h"
#include "readers/record/window.h"

/*
 * Compares the events with their copy in EVENT_DESC.  If events differ, and
 * more records of the n windows agree with the copy, it takes the place of all
 * events; else ids that only the copy has are added.  Any difference gives a
 * diagnostic at `offset`.  The windows do not step.  CP_FAIL if there is no
 * event.
 */
int cp_trial(struct cp_recording *, struct cp_window *const *, size_t n,
    struct cp_diags *, uint64_t offset) CP_MUST_USE;

#endif
