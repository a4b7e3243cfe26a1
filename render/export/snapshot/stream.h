/* SPDX-License-Identifier: MIT */
/*
 * render/export/snapshot/stream.h: the table of samples, packed while its rows
 * are made, so that memory holds some of them only.
 *
 * The file has the bytes that cp_parquet_write() makes of the same rows.
 */
#ifndef CP_RENDER_EXPORT_SNAPSHOT_STREAM_H
#define CP_RENDER_EXPORT_SNAPSHOT_STREAM_H

#include "base/spill/spill.h"
#include "report/profile.h"

struct cp_snapshot_stream;

struct cp_snapshot_stream *cp_snapshot_stream_new(unsigned jobs);
/* A row; the context is the stream. */
void cp_snapshot_stream_add(void *stream, const struct cp_profile_sample *);
/* After the last row: writes the footer.  False: the file is too large. */
bool cp_snapshot_stream_end(struct cp_snapshot_stream *);
uint64_t cp_snapshot_stream_rows(const struct cp_snapshot_stream *);
/* The file, after its end. */
const struct cp_spill *cp_snapshot_stream_file(
    const struct cp_snapshot_stream *);
void cp_snapshot_stream_free(struct cp_snapshot_stream *);

#endif
