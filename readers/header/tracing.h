/* SPDX-License-Identifier: MIT */
/*
 * readers/header/tracing.h: reads the tracing data blob into struct
 * cp_tracepoints.
 */
#ifndef CP_READERS_HEADER_TRACING_H
#define CP_READERS_HEADER_TRACING_H

#include "base/bytes.h"
#include "base/diag.h"
#include "model/tracepoint.h"

/* Do these bytes start tracing data? */
enum { CP_TRACING_START = 10 };
bool cp_tracing_starts(const uint8_t *);

/*
 * Reads the blob of feature TRACING_DATA or of a TRACING_DATA record.  The blob
 * has its own byte order; bytes.swap is ignored.  Zeros after it are padding.
 * Damage gives CP_D_BAD_TRACING; the other formats are kept.
 */
void cp_tracing_read(
    struct cp_tracepoints *, struct cp_bytes blob, struct cp_diags *);

/* Adds the layout that a format's text describes. */
void cp_tracing_format(struct cp_tracepoints *, const char *system,
    const char *text, size_t size, struct cp_diags *);

#endif
