/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/delta.h: Parquet's DELTA_BINARY_PACKED: the steps from
 * number to number, packed to as many bits as the widest of 32 needs.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_DELTA_H
#define CP_RENDER_EXPORT_SNAPSHOT_DELTA_H

#include "base/buf.h"

/* Appends n numbers of 32 or 64 bits; steps wrap around at that width. */
void cp_delta_put(
    struct cp_buf *, const uint64_t *numbers, size_t n, unsigned bits);

#endif
