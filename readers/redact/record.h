/* SPDX-License-Identifier: MIT */
/* readers/redact/record.h: the records of a redacted capture. */
#ifndef CP_READERS_REDACT_RECORD_H
#define CP_READERS_REDACT_RECORD_H

#include "readers/redact/state.h"

/*
 * Changes the record; its bytes are then in the scratch buffer.  False: it is
 * left out.
 */
bool cp_redact_record(struct cp_redaction *, struct cp_event *);

#endif
