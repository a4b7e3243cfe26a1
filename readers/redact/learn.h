/* SPDX-License-Identifier: MIT */
/* readers/redact/learn.h: whose names a capture has. */
#ifndef CP_READERS_REDACT_LEARN_H
#define CP_READERS_REDACT_LEARN_H

#include "base/redact/names.h"
#include "readers/reader.h"

/*
 * Reads the capture, which was opened, to its end, and remembers the host and
 * the users of all its paths.  They may stand in records before these.  Returns
 * NULL, or what could not be read, which lives as long as the diagnostics: the
 * next reading may have names in it that this one has not seen.
 */
const char *cp_redact_learn(struct cp_redact *, struct cp_capture *);

#endif
