/* SPDX-License-Identifier: MIT */
/*
 * browse/rows.h: the counts of a model as rows of a list or of a tree.
 *
 * A row of a tree stands for one or more nodes of one function.  Rows below it
 * are made when it is open; what is open is known by the path of functions to
 * it, so that it stays open when the selection changes.
 */
#ifndef CP_BROWSE_ROWS_H
#define CP_BROWSE_ROWS_H

#include "browse/model.h"

/* Rows of one list; opening all of a large tree ends there. */
#define CP_BROWSE_ROWS 20000u

enum cp_browse_kind {
	CP_ROW_HEAD, /* a line between rows */
	CP_ROW_FUNCTION,
	CP_ROW_PROCESS,
	CP_ROW_THREAD,
	CP_ROW_CPU,
	CP_ROW_EVENT,
	CP_ROW_OBJECT,
};

struct cp_browse_row {
	const char *name;
	const char *where; /* an object; NULL: none */
	uint64_t self, total, samples;
	uint64_t self_before, total_before; /* of two captures */
	/* The ends of the intervals of shares; 0, 0: none. */
	double self_interval[2], total_interval[2];
	enum cp_browse_kind kind;
	uint32_t id; /* function, pid, CPU, event, or object of the profile */
	uint32_t tid;
	uint32_t depth;
	bool inlined, kernel;
	/* Of trees. */
	bool up;   /* rows below are callers */
	bool more; /* there are rows below */
	bool open; /* and they are shown */
	uint64_t path;
	size_t first, n; /* its nodes: items */
};

/* A node, and the part of its weight that a row has. */
struct cp_browse_item {
	uint32_t node;
	uint64_t total, self, before;
};

struct cp_browse_rows {
	CP_VEC(struct cp_browse_row) rows;
	CP_VEC(struct cp_browse_item) items;
	struct cp_map64 open; /* paths; 1: open, 2: closed by the user */
	struct cp_arena texts;
	bool cut; /* there are more rows than the limit */
};

void cp_browse_rows_free(struct cp_browse_rows *);
/* For those that make rows: forgets all; a line between; order, heaviest first,
 * of two captures what changed most.
 */
void cp_browse_rows_start(struct cp_browse_rows *);
void cp_browse_head(struct cp_browse_rows *, const char *name);
struct cp_browse_row cp_browse_function_row(
    const struct cp_browse_model *, uint32_t function);
int cp_browse_by_weight(const void *, const void *);
int cp_browse_by_total(const void *, const void *);

/* Each replaces the rows.  Lists have the rows that `find' is in; NULL: all. */
void cp_browse_functions(
    struct cp_browse_rows *, const struct cp_browse_model *, const char *find);
/* intervals.c: gives functions intervals, where hotspots has them. */
void cp_browse_intervals(
    struct cp_browse_rows *, const struct cp_browse_model *);
void cp_browse_objects(
    struct cp_browse_rows *, const struct cp_browse_model *, const char *find);
/* Processes with their threads, CPUs, events. */
void cp_browse_threads(
    struct cp_browse_rows *, const struct cp_browse_model *, const char *find);

/* tree.c: from the outermost functions on. */
void cp_browse_calls(struct cp_browse_rows *, const struct cp_browse_model *);
/* Functions by their own weight, and who called them. */
void cp_browse_callers(struct cp_browse_rows *, const struct cp_browse_model *);
/* Who calls a function, and what it calls. */
void cp_browse_around(
    struct cp_browse_rows *, const struct cp_browse_model *, uint32_t function);
/* Opens or closes a row; the rows must be made again. */
void cp_browse_open(struct cp_browse_rows *, size_t row, bool open);
/* boxes.c: a flame graph in columns of text. */
struct cp_browse_box {
	uint32_t node;
	uint32_t depth; /* below the node that fills the width */
	uint32_t x, columns;
};

typedef CP_VEC(struct cp_browse_box) cp_browse_boxes;

/*
 * Lays out what is below a node (0: all), which fills the columns.  Boxes
 * narrower than a column are left out.  They are sorted by depth, then x.
 */
void cp_browse_layout(cp_browse_boxes *, const struct cp_browse_model *,
    uint32_t node, uint32_t columns, uint32_t depth);
/* True if text has `part' in it, in any case of letters. */
bool cp_browse_has(const char *text, const char *part);

#endif
