/* SPDX-License-Identifier: MIT */
/* readers/redact/state.h: a redaction in the making. */
#ifndef CP_READERS_REDACT_STATE_H
#define CP_READERS_REDACT_STATE_H

#include "base/redact/names.h"
#include "readers/reader.h"
#include "readers/rewrite/repair.h"

struct cp_redaction {
	struct cp_redact *names;
	struct cp_capture *src;
	struct cp_repair file; /* the new file */
	struct cp_buf scratch; /* the record being written */
	/* left out: records of unknown types, fields of payloads */
	uint64_t records, fields;
	uint64_t time; /* of the last sample */
	/* Fields of payloads, by a hash of the name: 2 if kept, else 1. */
	struct cp_map64 is_kept;
};

#endif
