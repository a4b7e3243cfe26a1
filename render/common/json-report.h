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

enum cp_json_for {
	CP_JSON_READER,   /* all but code */
	CP_JSON_PAGE,     /* all but the flame graph, which samples make */
	CP_JSON_SNAPSHOT, /* neither: both follow from the tables */
};

void cp_json_report(const struct cp_report *, const char *tool,
    enum cp_json_for, struct cp_out *);
/* Writes a text in quotes, or null. */
void cp_json_text(struct cp_out *, const char *);

#endif
