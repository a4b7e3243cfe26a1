/* SPDX-License-Identifier: MIT */
/*
 * readers/redact/redact.h: writes a capture to a file without the data that a
 * policy removes.
 *
 * Only known data is written: records, fields and features that are not listed
 * here are left out, and all texts are written again.  readers/rewrite/repair.h
 * writes the file.
 */
#ifndef CP_READERS_REDACT_REDACT_H
#define CP_READERS_REDACT_REDACT_H

#include "readers/redact/state.h"

/*
 * src must be opened and not read from; learn.h has read it before, from
 * another opening.  Returns NULL, or why it cannot be
 * done.
 */
const char *cp_redaction(
    struct cp_redaction *, struct cp_redact *, struct cp_capture *src);
void cp_redaction_free(struct cp_redaction *);

#endif
