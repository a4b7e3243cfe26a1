/* SPDX-License-Identifier: MIT */
/*
 * render/common/json-report.h: a report as JSON, all but its samples.
 *
 * docs/report-schema.md describes it; change both together, and the version if
 * the change can break a reader.
 */
#ifndef CP_RENDER_COMMON_JSON_REPORT_H
#define CP_RENDER_COMMON_JSON_REPORT_H

#include "render/common/out.h"
#include "report/report.h"

enum cp_json_use {
	CP_JSON_ALL,
	/* with code, without the flame graph, which a page draws from samples
	 */
	CP_JSON_PAGE,
	/* what a snapshot says beside its tables: who, where, how well */
	CP_JSON_SNAPSHOT,
};

void cp_json_report(const struct cp_report *, const char *tool,
    enum cp_json_use, struct cp_out *);
/* Writes a text in quotes, or null. */
void cp_json_text(struct cp_out *, const char *);

#endif
