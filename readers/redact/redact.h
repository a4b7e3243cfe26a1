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
#include "base/redact/names.h"
#include "readers/reader.h"

/*
 * src must be opened and not read from; learn.h has read it before, from
 * another opening.  Returns NULL, or why it cannot be
 * done.
 */
const char *cp_redaction(
    struct cp_redaction *, struct cp_redact *, struct cp_capture *src);
void cp_redaction_free(struct cp_redaction *);

/* learn.c: whose names a capture has. */

/*
 * Reads the capture, which was opened, to its end, and remembers the host and
 * the users of all its paths.  They may stand in records before these.  Returns
 * NULL, or what could not be read, which lives as long as the diagnostics: the
 * next reading may have names in it that this one has not seen.
 */
const char *cp_redact_learn(struct cp_redact *, struct cp_capture *);

#endif
