/* SPDX-License-Identifier: MIT */
/* cli/report-output.h: writes a report in the format that was asked for. */
#ifndef CP_CLI_REPORT_OUTPUT_H
#define CP_CLI_REPORT_OUTPUT_H

#include "cli/cli.h"
#include "render/render.h"

/*
 * Chooses a renderer for each --output, by --format, by the suffix, or text;
 * CP_FAIL after a diagnostic.  The caller frees them.
 */
int cp_report_choose(struct cp_cli *, cp_report_outputs *) CP_MUST_USE;
/* CP_FAIL after a diagnostic if any was not written. */
int cp_report_write(
    struct cp_cli *, const cp_report_outputs *, struct cp_report *);
/* Warns that a snapshot has no records, and which commands need them. */
void cp_report_no_records(struct cp_cli *, const char *why);

#endif
