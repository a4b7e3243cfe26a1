/* SPDX-License-Identifier: MIT */
/*
 * base/report.h: the report value, as analyses build it (coldperf/plugin.h)
 * and renderers read it.
 *
 * A list of sections in the order they were added.  Values carry types, not
 * formats; texts are raw bytes of the capture.  cp_report_finish() computes
 * tree totals; after it the report is const.
 */
#ifndef CP_BASE_REPORT_H
#define CP_BASE_REPORT_H

#include "base/vec.h"

enum cp_section_type {
	CP_SECTION_TABLE,
	CP_SECTION_TREE,
	CP_SECTION_SCALARS,
	CP_SECTION_NOTES,
};

struct cp_column {
	const char *name;
	enum cp_column_type type;
};

struct cp_value {
	const char *text; /* CP_COL_TEXT */
	uint64_t u64; /* counts, weights, times, addresses */
	double value, lo, hi; /* CP_COL_SHARE, CP_COL_RATE; lo > hi: no
				 interval */
};

struct cp_row {
	struct cp_value *values; /* one per column */
	uint32_t filled;
	uint32_t depth; /* indent under the row before */
};

struct cp_table {
	struct cp_report *report;
	CP_VEC(struct cp_column) columns;
	CP_VEC(struct cp_row) rows;
	uint64_t rest_rows, rest_weight; /* left out */
};

struct cp_tree {
	CP_VEC(struct cp_tree_node) nodes; /* parents before children */
};

struct cp_scalar {
	const char *key;
	enum cp_column_type type;
	struct cp_value value;
};

struct cp_section {
	enum cp_section_type type;
	const char *slug; /* stable, for machines: [a-z-]+ */
	const char *title; /* for people */
	struct cp_table table;
	struct cp_tree tree;
	CP_VEC(struct cp_scalar) scalars;
	CP_VEC(const char *) notes;
	struct cp_section *next;
};

struct cp_report {
	struct cp_arena arena;
	const char *analysis; /* name of the (first) analysis */
	const char *title; /* one line: what was recorded, when, how long */
	const char *label; /* host, start, length and rate in one line, or "" */
	const char *weight; /* what weights count: "period", "samples" */
	const char *event; /* name of the event they belong to, or "" */
	struct cp_section *first, **last;
};

void cp_report_init(struct cp_report *, const char *analysis);
void cp_report_finish(struct cp_report *);
void cp_report_free(struct cp_report *);
/* The first section of that slug, or NULL. */
const struct cp_section *cp_report_find(
    const struct cp_report *, const char *slug);

#endif
