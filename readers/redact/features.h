/* SPDX-License-Identifier: MIT */
/* readers/redact/features.h: the features of a redacted capture. */
#ifndef CP_READERS_REDACT_FEATURES_H
#define CP_READERS_REDACT_FEATURES_H

#include "readers/redact/state.h"

/* Rewrites the features, and leaves out unknown ones. */
void cp_redact_features(struct cp_redaction *, struct cp_repair *);

#endif
