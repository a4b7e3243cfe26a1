/* SPDX-License-Identifier: MIT */
/*
 * report/report.h: the report value, as analyses build it (coldperf/plugin.h)
 * and renderers read it.
 *
 * It may use base/ only and knows neither captures nor formats.  Begin at
 * struct cp_report.
 *
 * A report is a list of sections in the order they were added.  Values carry
 * types, not formats; texts are raw bytes of the capture.  cp_report_finish()
 * computes tree totals; after it the report is const.
 */
#ifndef CP_REPORT_REPORT_H
#define CP_REPORT_REPORT_H

#include "report/table.h"
#include "report/value.h"

/*
 * Return the name and type of a tree's weights; the report's if the tree has
 * none.
 */
const char *cp_tree_unit_name(const struct cp_report *, const struct cp_tree *);
enum cp_column_type cp_tree_unit_type(
    const struct cp_report *, const struct cp_tree *);
/* Is the tree in order of time? */
bool cp_tree_timed(const struct cp_tree *);
/* Returns how many narrow frames a node stands for; 0: it is a frame. */
uint64_t cp_tree_is_narrow(const struct cp_tree *, uint32_t node);
/*
 * Returns the place of a node on its tree's scale of colours, -1 to 1; 0
 * without a scale.
 */
double cp_tree_shade(const struct cp_tree *, const struct cp_tree_node *);
/* Never NULL: without a value or a weight before, these are NaN and 0. */
const struct cp_tree_beside *cp_tree_beside(
    const struct cp_tree *, const struct cp_tree_node *);
void cp_report_init(struct cp_report *, const char *analysis);
void cp_report_finish(struct cp_report *);
void cp_report_free(struct cp_report *);
/* Hides all sections but those of that slug.  False: there are none. */
bool cp_report_only(struct cp_report *, const char *slug);
/*
 * Changes each text to what fn returns, which must outlive the report.
 * Columns and values without texts stay.
 */
void cp_report_texts(struct cp_report *, cp_text_fn, void *ctx);

/* Returns the first section of that slug, or NULL. */
const struct cp_section *cp_report_find(
    const struct cp_report *, const char *slug);

#endif
