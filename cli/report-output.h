/* SPDX-License-Identifier: MIT */
/* cli/report-output.h: writes a report in the format that was asked for. */
#ifndef CP_CLI_REPORT_OUTPUT_H
#define CP_CLI_REPORT_OUTPUT_H

#include "cli/cli.h"
#include "render/render.h"

/*
 * Returns the renderer by --format, by the output's suffix, or text; NULL after
 * a diagnostic.
 */
const struct cp_renderer *cp_report_renderer(struct cp_cli *);
int cp_report_write(
    struct cp_cli *, const struct cp_renderer *, struct cp_report *);

#endif
