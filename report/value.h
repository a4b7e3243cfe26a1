/* SPDX-License-Identifier: MIT */
/*
 * report/value.h: the parts of a report.
 *
 * Values carry types, not formats; texts are raw bytes of the capture.
 */
#ifndef CP_REPORT_VALUE_H
#define CP_REPORT_VALUE_H

#include "base/hash.h"
#include "base/vec.h"
#include "report/origin.h"

enum cp_section_type {
	CP_SECTION_TABLE,
	CP_SECTION_TREE,
	CP_SECTION_SCALARS,
	CP_SECTION_NOTES,
	CP_SECTION_HISTOGRAM,
	CP_SECTION_GRID,
	CP_SECTION_LANES,
	CP_SECTION_PROFILE,
	CP_SECTION_CODE, /* a table */
	CP_SECTION_TYPES
};

struct cp_column {
	const char *name;
	const char *key; /* for machines; NULL: derived from the name */
	enum cp_column_type type;
	bool prose; /* sentences: lines may break between words */
	bool minor; /* text has it only if it is asked for */
};

struct cp_value {
	const char *text;     /* CP_COL_TEXT */
	uint64_t u64;         /* counts, weights, times, addresses */
	double value, lo, hi; /* CP_COL_SHARE, CP_COL_RATE; lo > hi: no
				 interval */
	bool none;            /* there is no value */
};

/* True for no value, and for a time or clock that is unknown. */
static inline bool
cp_value_unknown(enum cp_column_type type, const struct cp_value *v)
{
	return v->none || ((type == CP_COL_TIME || type == CP_COL_CLOCK) &&
			      v->u64 == CP_NO_TIME);
}

struct cp_row {
	/* one per column, then one per column that is left out */
	struct cp_value *values;
	uint32_t filled;
	uint32_t depth;  /* indentation level below the row before */
	uint32_t object; /* cp_table_in_object(); 0: none */
	uint64_t at;     /* cp_table_at_code(); UINT64_MAX: none */
};

struct cp_table {
	struct cp_report *report;
	CP_VEC(struct cp_column) columns;
	CP_VEC(struct cp_row) rows;
	uint64_t rest_rows, rest_weight; /* rows left out, and their weight */
	uint64_t whole;    /* what that is a part of; 0: not known */
	size_t brief_rows; /* rows that text shows; 0: all */
	/* generates rows when written; NULL: see rows */
	struct cp_made_rows *made;
	/* the event of the whole table, or NULL */
	const char *event;
	const char *slug, *by; /* those of the section */
	bool listing;          /* a listing of source or code */
	bool data;             /* only JSON has it */
	bool slipped;          /* it was filled wrongly */
	/* columns that rows have and the table leaves out, by their place */
	uint64_t dropped;
	CP_VEC(struct cp_column) hidden; /* these, in order */
	size_t given; /* values of the last row, with those left out */
	/* columns to sort by; rows to keep, 0: all; column of their weight */
	CP_VEC(uint32_t) sorts;
	size_t top;
	uint32_t weighed; /* + 1; 0: none */
};

/* The part of a node's total that one method of guessing found. */
struct cp_guessed {
	uint32_t node;
	enum cp_guess how;
	uint64_t weight;
};

/* Of a tree there may be millions. */
struct cp_tree_node {
	const char *name;
	const char *detail; /* object, or "" */
	uint32_t parent;
	uint8_t kind;         /* enum cp_kind */
	uint64_t self, total; /* total is computed by the report */
	uint64_t samples;     /* number of samples in self */
};

/* What a node has beside in a tree that has values or is compared. */
struct cp_tree_beside {
	double value;                  /* on the tree's scale; NaN: unknown */
	uint64_t before, before_total; /* in the capture compared with */
};

struct cp_tree_place {
	uint64_t start;
	uint64_t narrow; /* frames that the node stands for; 0: it is one */
};

struct cp_tree {
	struct cp_report *report;
	CP_VEC(struct cp_tree_node) nodes;    /* parents before children */
	CP_VEC(struct cp_tree_beside) beside; /* by node, or none */
	/*
	 * Guessed parts, in few trees.  Finished: sorted by node and method,
	 * merged.
	 */
	CP_VEC(struct cp_guessed) guesses;
	/* By node, if it is in order of time or has narrow frames. */
	CP_VEC(struct cp_tree_place) places;
	const char *unit;         /* of the weights; NULL: the report's */
	enum cp_column_type type; /* of the weights */
	const char *samples;      /* what the weights count, in the plural */
	enum cp_scale scale;
	double whole;       /* CP_SCALE_RATIO: the ratio of the whole tree */
	const char *legend; /* the name of the value that colours show */
	bool timed;         /* in order of time */
	bool sampled;       /* another run has other samples */
	bool compared;      /* nodes also have a weight before */
	bool reversed;      /* before and after are swapped */
};

struct cp_bin {
	uint64_t lo, hi; /* lo <= value < hi */
	uint64_t count, weight;
};

struct cp_histogram {
	struct cp_report *report;
	const char *name; /* of the histogram's value */
	enum cp_column_type type;
	const char *unit; /* unit of the weights; NULL: none */
	enum cp_column_type unit_type;
	CP_VEC(struct cp_bin) bins; /* ascending */
};

struct cp_grid_cell {
	uint32_t x, y;
	uint64_t value; /* nonzero */
};

struct cp_grid {
	struct cp_axis x, y;
	const char *name; /* of the cells' value */
	enum cp_column_type type;
	enum cp_merge merge;
	CP_VEC(struct cp_grid_cell) cells; /* finished: sorted by x, then y */
	struct cp_map64 at;                /* x << 32 | y -> cell + 1 */
};

/* A grid shrunk to blocks of by_x * by_y cells, if space is short. */
struct cp_blocks {
	uint32_t by_x, by_y;
	uint32_t columns, rows;
	uint64_t *value; /* indexed by column * rows + row; malloc'ed */
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
	/* finished: sorted by lane, then time */
	CP_VEC(struct cp_lane_span) spans;
};

struct cp_scalar {
	const char *key;
	enum cp_column_type type;
	struct cp_value value;
};

struct cp_section {
	enum cp_section_type type;
	const char *slug;  /* stable name for machines: [a-z-]+ */
	const char *title; /* title for people */
	const char *by;    /* name of the analysis; NULL: of none */
	struct cp_table table;
	struct cp_tree tree;
	CP_VEC(struct cp_scalar) scalars;
	CP_VEC(const char *) notes;
	struct cp_histogram histogram;
	struct cp_grid grid;
	struct cp_lanes lanes;
	struct cp_profile *profile; /* report/profile.h */
	struct cp_section *next;
};

/* Does JSON alone have it? */
static inline bool
cp_section_is_data(const struct cp_section *s)
{
	return s->type == CP_SECTION_TABLE && s->table.data;
}

struct cp_profile_sample;

struct cp_report_pprof; /* base/pprof.h */

struct cp_report {
	struct cp_arena arena;
	const char *analysis; /* name of the (first) analysis */
	const char *title;    /* one line: what was recorded, when, how long */
	const char *label; /* host, start, length and rate in one line, or "" */
	const char *weight; /* what weights count: "period", "samples" */
	const char *event;  /* name of the event they belong to, or "" */
	/* The same of the capture's main event, whatever analyses show. */
	const char *main_event, *main_label;
	/* start time of the capture; times are relative to it */
	uint64_t start;
	/* Of the run; NULL: it is no profile of pprof's as it was. */
	const struct cp_report_pprof *pprof;
	CP_VEC(struct cp_report_origin)
	origins; /* texts are kept, not copied */
	/*
	 * Gets the samples of the profile, which then holds none; NULL: the
	 * profile holds them.
	 */
	void (*sink)(void *ctx, const struct cp_profile_sample *);
	void *sink_ctx;
	/* Gets what an analysis did wrong, as text. */
	void (*slip)(void *ctx, const char *);
	void *slip_ctx;
	const char *by; /* the analysis that adds sections now, or NULL */
	struct cp_section *first, **last;
	struct cp_section *hidden; /* sections hidden by cp_report_only() */
};

/* guesses.c, charts.c */
/* Returns the guessed parts of a node, most certain first; NULL: none. */
const struct cp_guessed *cp_tree_guesses(
    const struct cp_tree *, uint32_t node, size_t *n);
/*
 * Returns the lower edge of cell i; i = count gives the upper edge of the last.
 */
uint64_t cp_axis_edge(const struct cp_axis *, uint32_t i);
struct cp_value cp_grid_value(const struct cp_grid *, uint64_t cell);
struct cp_blocks cp_grid_blocks(
    const struct cp_grid *, uint32_t by_x, uint32_t by_y);

#endif
