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

/*
 * Writes the report.  page: with code, and without the flame graph, which a
 * page draws from samples.
 */
void cp_json_report(
    const struct cp_report *, const char *tool, bool page, struct cp_out *);
/* Writes a text in quotes, or null. */
void cp_json_text(struct cp_out *, const char *);

#endif
