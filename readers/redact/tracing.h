/* SPDX-License-Identifier: MIT */
/* readers/redact/tracing.h: names of events and layouts of payloads. */
#ifndef CP_READERS_REDACT_TRACING_H
#define CP_READERS_REDACT_TRACING_H

#include "readers/redact/state.h"

/* Redacts the names and layouts of events in the recording. */
void cp_redact_layouts(struct cp_redaction *);
/* The event's name after the redaction. */
const char *cp_redact_event(
    struct cp_redact *, const struct cp_evsel_info *, const char *name);
/* Does the policy keep the event's name and payload? */
bool cp_redact_event_kept(
    const struct cp_redact *, const struct cp_evsel_info *);

#endif
