/* SPDX-License-Identifier: MIT */
/*
 * report/value.h: what a report consists of.
 *
 * Values carry types, not formats; texts are raw bytes of the capture.
 */
#ifndef CP_REPORT_VALUE_H
#define CP_REPORT_VALUE_H

#include "base/hash.h"
#include "base/vec.h"

enum cp_section_type {
	CP_SECTION_TABLE,
	CP_SECTION_TREE,
	CP_SECTION_SCALARS,
	CP_SECTION_NOTES,
	CP_SECTION_HISTOGRAM,
	CP_SECTION_GRID,
	CP_SECTION_LANES,
	CP_SECTION_TYPES
};

struct cp_column {
	const char *name;
	const char *key; /* for machines; NULL: made of the name */
	enum cp_column_type type;
	bool prose; /* sentences, which may be broken between words */
};

struct cp_value {
	const char *text;     /* CP_COL_TEXT */
	uint64_t u64;         /* counts, weights, times, addresses */
	double value, lo, hi; /* CP_COL_SHARE, CP_COL_RATE; lo > hi: no
				 interval */
};

/* Is it a time that nobody knows? */
static inline bool
cp_value_unknown(enum cp_column_type type, const struct cp_value *v)
{
	return (type == CP_COL_TIME || type == CP_COL_CLOCK) &&
	       v->u64 == CP_NO_TIME;
}

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
	struct cp_made_rows *made;       /* NULL: rows has them */
	const char *event;               /* that all of it is of, or NULL */
	bool listing;                    /* of a text */
};

/* A part of a node's total. */
struct cp_guessed {
	uint32_t node;
	enum cp_guess how;
	uint64_t weight;
};

struct cp_tree {
	struct cp_report *report;
	CP_VEC(struct cp_tree_node) nodes; /* parents before children */
	/* Few trees have any.  Finished: by node and how, each once. */
	CP_VEC(struct cp_guessed) guesses;
	const char *unit;         /* of its weights; NULL: the report's */
	enum cp_column_type type; /* of them */
	const char *samples;      /* what they are, in the plural */
	enum cp_scale scale;
	double whole;       /* CP_SCALE_RATIO: the value of all */
	const char *legend; /* names the value */
	bool compared;      /* nodes have a weight before */
	bool reversed;      /* before and after have changed places */
};

struct cp_bin {
	uint64_t lo, hi; /* lo <= value < hi */
	uint64_t count, weight;
};

struct cp_histogram {
	struct cp_report *report;
	const char *name; /* of the value */
	enum cp_column_type type;
	const char *unit; /* of weights; NULL: there are none */
	enum cp_column_type unit_type;
	CP_VEC(struct cp_bin) bins; /* ascending */
};

struct cp_cell {
	uint32_t x, y;
	uint64_t value; /* not 0 */
};

struct cp_grid {
	struct cp_axis x, y;
	const char *name; /* of the cells' values */
	enum cp_column_type type;
	enum cp_merge merge;
	CP_VEC(struct cp_cell) cells; /* finished: by x, then y */
	struct cp_map64 at;           /* x << 32 | y -> cell + 1 */
};

/* A grid in blocks of so many cells, where there is no room for each. */
struct cp_blocks {
	uint32_t by_x, by_y;
	uint32_t columns, rows;
	uint64_t *value; /* column * rows + row; to be freed */
	uint64_t most;
};

struct cp_lane_span {
	uint64_t start, end;
	const char *text; /* or NULL */
	uint32_t lane, kind;
	float level; /* 0...1 */
};

struct cp_lane_kind {
	const char *name;
	enum cp_tone tone;
};

struct cp_lanes {
	struct cp_report *report;
	CP_VEC(struct cp_lane_kind) kinds;
	CP_VEC(const char *) lanes;
	CP_VEC(struct cp_lane_span) spans; /* finished: by lane, then time */
};

struct cp_scalar {
	const char *key;
	enum cp_column_type type;
	struct cp_value value;
};

struct cp_section {
	enum cp_section_type type;
	const char *slug;  /* stable, for machines: [a-z-]+ */
	const char *title; /* for people */
	struct cp_table table;
	struct cp_tree tree;
	CP_VEC(struct cp_scalar) scalars;
	CP_VEC(const char *) notes;
	struct cp_histogram histogram;
	struct cp_grid grid;
	struct cp_lanes lanes;
	struct cp_section *next;
};

struct cp_report {
	struct cp_arena arena;
	const char *analysis; /* name of the (first) analysis */
	const char *title;    /* one line: what was recorded, when, how long */
	const char *label; /* host, start, length and rate in one line, or "" */
	const char *weight; /* what weights count: "period", "samples" */
	const char *event;  /* name of the event they belong to, or "" */
	uint64_t start;     /* of the capture; moments are told from it */
	struct cp_section *first, **last;
	struct cp_section *hidden; /* by cp_report_only() */
};

/* guesses.c, charts.c */
/* What of a node was guessed, the most certain first; NULL: nothing. */
const struct cp_guessed *cp_tree_guesses(
    const struct cp_tree *, uint32_t node, size_t *n);
/* Where cell i of an axis begins; i = count: where the last one ends. */
uint64_t cp_axis_edge(const struct cp_axis *, uint32_t i);
struct cp_value cp_grid_value(const struct cp_grid *, uint64_t cell);
struct cp_blocks cp_grid_blocks(
    const struct cp_grid *, uint32_t by_x, uint32_t by_y);

#endif
