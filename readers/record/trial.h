/* SPDX-License-Identifier: MIT */
/* readers/record/trial.h: which copy of the event descriptions is right? */
#ifndef CP_READERS_RECORD_TRIAL_H
#define CP_READERS_RECORD_TRIAL_H

#include "model/recording.h"
#include "readers/record/window.h"

/*
 * Compares the events with their copy in EVENT_DESC.  If events differ, and
 * more records of the n windows agree with the copy, it takes the place of all
 * events; else ids that only the copy has are added.  A difference gives a
 * diagnostic at `offset`; if nothing was done about it, only the last
 * comparison does.  The windows do not step.
 */
void cp_trial(struct cp_recording *, struct cp_window *const *, size_t n,
    bool last, struct cp_diags *, uint64_t offset);

#endif
