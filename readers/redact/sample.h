/* SPDX-License-Identifier: MIT */
/* readers/redact/sample.h: the samples of a redacted capture. */
#ifndef CP_READERS_REDACT_SAMPLE_H
#define CP_READERS_REDACT_SAMPLE_H

#include "readers/redact/state.h"

/*
 * Blanks the fields of a sample that the policy removes.  False: the sample has
 * unknown fields.
 */
bool cp_redact_sample(struct cp_redaction *, struct cp_event *);

#endif
