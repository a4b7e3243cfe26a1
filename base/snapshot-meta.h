/* SPDX-License-Identifier: MIT */
/*
 * base/snapshot-meta.h: the first keys of a snapshot's meta.json, for readers
 * of snapshots (docs/snapshot-format.md).
 */
#ifndef CP_BASE_SNAPSHOT_META_H
#define CP_BASE_SNAPSHOT_META_H

#include <inttypes.h>
#include <stdio.h>

#include "base/base.h"

#define CP_SNAPSHOT_META "meta.json"
#define CP_SNAPSHOT_BEGIN "{\"format\":\"coldperf snapshot\",\"version\":"
/* The records, of one file or of a folder. */
#define CP_SNAPSHOT_RECORDS "perf.data.zst"
#define CP_SNAPSHOT_FOLDER "perf.data.tar.zst"
/* Jitdumps: this, the process, "-", the file's name, ".zst". */
#define CP_SNAPSHOT_JIT "jit/"

/* Bytes of meta.json that cp_snapshot_meta() needs. */
enum { CP_SNAPSHOT_HEAD = 320 };

struct cp_snapshot_meta {
	uint64_t version;
	/*
	 * The account of the original capture, if the records were rewritten;
	 * or 0.
	 */
	uint64_t bytes_total, bytes_parsed, bytes_missing, gaps, gap_time_ns;
	uint64_t records;
};

/* True if the n bytes begin the meta.json of a snapshot. */
static inline bool
cp_snapshot_meta(const void *head, size_t n, struct cp_snapshot_meta *out)
{
	const size_t size = sizeof(CP_SNAPSHOT_BEGIN) - 1;
	char text[CP_SNAPSHOT_HEAD + 1] = "";

	*out = (struct cp_snapshot_meta){ 0 };
	if (n <= size || memcmp(head, CP_SNAPSHOT_BEGIN, size) != 0)
		return false;
	memcpy(text, head, CP_MIN(n, (size_t)CP_SNAPSHOT_HEAD));
	(void)sscanf(text + size,
	    "%19" SCNu64 ",\"bytes_total\":%19" SCNu64
	    ",\"bytes_parsed\":%19" SCNu64 ",\"bytes_missing\":%19" SCNu64
	    ",\"gaps\":%19" SCNu64 ",\"gap_time_ns\":%19" SCNu64
	    ",\"records\":%19" SCNu64,
	    &out->version, &out->bytes_total, &out->bytes_parsed,
	    &out->bytes_missing, &out->gaps, &out->gap_time_ns, &out->records);
	return true;
}

#endif
