/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/parquet.h: writes a table as a Parquet file.
 *
 * All columns are REQUIRED, numbers are signed, pages are compressed by zstd.
 * The same rows give the same bytes.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_PARQUET_H
#define CP_RENDER_EXPORT_SNAPSHOT_PARQUET_H

#include "render/export/snapshot/table.h"

/* Appends the file; out->full tells if it has become too large. */
void cp_parquet_write(struct cp_buf *out, const struct cp_parquet_table *);

#endif
