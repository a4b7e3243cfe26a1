/* SPDX-License-Identifier: MIT */
/*
 * readers/redact/redact.h: a capture as a file without what a policy removes.
 *
 * What is written is what is known: records, fields and features that are
 * not listed here are left out, and everything that is a text is written
 * anew.  readers/rewrite/repair.h writes the file.
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
