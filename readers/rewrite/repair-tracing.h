/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-tracing.h: the tracing data of a repaired file. */
#ifndef CP_READERS_REWRITE_REPAIR_TRACING_H
#define CP_READERS_REWRITE_REPAIR_TRACING_H

#include "model/recording.h"
#include "readers/rewrite/repaired.h"

/* Makes tracing data if those taken lack the format of an event. */
void cp_repair_tracing(struct cp_repair *, const struct cp_recording *);

#endif
