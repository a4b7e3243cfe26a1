/* SPDX-License-Identifier: MIT */
/* report/section.h: functions that the files of report/ share. */
#ifndef CP_REPORT_SECTION_H
#define CP_REPORT_SECTION_H

#include "report/value.h"

/* Adds a section at the end of the report. */
struct cp_section *cp_section_new(struct cp_report *, enum cp_section_type,
    const char *slug, const char *title);
/* Copies the text into the report's memory. */
const char *cp_report_text(struct cp_report *, const char *);

/* charts.c: histograms, grids and lanes. */
void cp_charts_finish(struct cp_section *);
void cp_charts_free(struct cp_section *);
/* guesses.c */
void cp_tree_guesses_finish(struct cp_tree *);

#endif
