/* SPDX-License-Identifier: MIT */
/* readers/redact/sample.h: the samples of a redacted capture. */
#ifndef CP_READERS_REDACT_SAMPLE_H
#define CP_READERS_REDACT_SAMPLE_H

#include "readers/redact/state.h"

/*
 * Blanks what the policy removes of a sample.  False: it has fields that are
 * not known.
 */
bool cp_redact_sample(struct cp_redaction *, struct cp_event *);

#endif
