/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/parquet.h: writes tables as Parquet files.
 *
 * All columns are REQUIRED, numbers are signed, pages are compressed by zstd.
 * The same rows give the same bytes, whatever the number of threads.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_PARQUET_H
#define CP_RENDER_EXPORT_SNAPSHOT_PARQUET_H

#include "render/export/snapshot/table.h"

/*
 * Appends the file of table i to out[i]; its `full' is set if the file is too
 * large.  jobs: threads that may help; 0: none.
 */
void cp_parquet_write(struct cp_buf *const out[],
    const struct cp_parquet_table *, size_t n, unsigned jobs);

#endif
