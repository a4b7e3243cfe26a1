/* SPDX-License-Identifier: MIT */
/*
 * readers/formats/formats.h: layouts of tracepoints that the capture lacks.
 *
 * A recorder that was killed has written no tracing data.  Layouts then come
 * from other sources, and are used only if the payloads fit them: check.c.
 */
#ifndef CP_READERS_FORMATS_FORMATS_H
#define CP_READERS_FORMATS_FORMATS_H

#include "base/diag.h"
#include "model/tracepoint.h"

/*
 * Adds the layouts of a capture, of a format file, or of a folder of those
 * (a copy of tracefs).  CP_FAIL after a diagnostic: the path has none.
 */
int cp_formats_given(
    struct cp_tracepoints *, const char *path, struct cp_diags *) CP_MUST_USE;

/* Adds the layouts of common events; their IDs are not of any kernel. */
void cp_formats_builtin(struct cp_tracepoints *, struct cp_diags *);

/* A sample's payload, and the fields of the sample that it is checked with. */
struct cp_payload {
	const uint8_t *raw;
	uint32_t size;
	uint64_t id;  /* perf_event_attr.config */
	uint32_t tid; /* CP_NO_ID: not recorded */
	bool swap;
};

/* Do the bytes agree with the layout? */
bool cp_format_fits(const struct cp_tp_event *, const struct cp_payload *);
/* Checks more strictly, for a layout that may be of another kernel. */
bool cp_format_surely(const struct cp_tp_event *, const struct cp_payload *);
/* Can the bytes alone identify this event? */
bool cp_format_telling(const struct cp_tp_event *);

#endif
