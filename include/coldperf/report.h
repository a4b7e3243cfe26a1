/* SPDX-License-Identifier: MIT */
/*
 * coldperf/report.h: what an analysis shows: tables, trees, charts, values.
 */
#ifndef COLDPERF_REPORT_H
#define COLDPERF_REPORT_H

#include <coldperf/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cp_table;
struct cp_tree;
struct cp_histogram;
struct cp_grid;
struct cp_lanes;

/* The type of a column decides how renderers align and format it. */
enum cp_column_type {
	CP_COL_TEXT,
	CP_COL_COUNT,  /* uint64, a number of things */
	CP_COL_WEIGHT, /* uint64, in the report's weight */
	CP_COL_SHARE,  /* 0...1 with its 95 % interval */
	CP_COL_TIME,   /* ns, a duration; CP_NO_TIME: not known */
	CP_COL_CLOCK,  /* ns, a moment of the capture's clock; the same */
	CP_COL_BYTES,
	CP_COL_ADDRESS,
	CP_COL_RATE,   /* double with its 95 % interval */
	CP_COL_CHANGE, /* signed fraction with its 95 % interval */
	CP_COL_CHANCE, /* double 0...1: a probability, a p-value */
	CP_COL_NUMBER, /* double, shown as it is */
};

/* Kind of a frame, for colours and level letters. */
enum cp_kind {
	CP_KIND_NONE, /* a thread, a total */
	CP_KIND_USER,
	CP_KIND_KERNEL,
	CP_KIND_INLINED,
	CP_KIND_JIT,
	CP_KIND_CXX,
	CP_KIND_HYPERVISOR,
	CP_KIND_GUEST,
	CP_KIND_UNKNOWN, /* no name */
};

/*
 * Sections are shown in the order they were added.  Texts are copied; they
 * are raw bytes and each renderer escapes them for its target.
 */

/*
 * A column of a table, as data: its head, its type, and where they are not the
 * usual ones its role and its id for machines, "run_ns" as in CSV, which is
 * else derived from the head.
 */
struct cp_column_spec {
	const char *head;
	enum cp_column_type type;
	unsigned role; /* bits CP_COLUMN_... */
	const char *id;
};
enum {
	/* Sentences: shown below the row if the line is too short. */
	CP_COLUMN_PROSE = 1,
	/* Text leaves it out unless --columns names it; others have it. */
	CP_COLUMN_MINOR = 2,
};
#define CP_COLUMN(head, type, role, id)                                        \
	{                                                                      \
		head, type, role, id                                           \
	}
#define CP_TEXT(head) CP_COLUMN(head, CP_COL_TEXT, 0, NULL)
#define CP_PROSE(head) CP_COLUMN(head, CP_COL_TEXT, CP_COLUMN_PROSE, NULL)
#define CP_COUNT(head) CP_COLUMN(head, CP_COL_COUNT, 0, NULL)
#define CP_WEIGHT(head) CP_COLUMN(head, CP_COL_WEIGHT, 0, NULL)
#define CP_SHARE(head) CP_COLUMN(head, CP_COL_SHARE, 0, NULL)
#define CP_TIME(head) CP_COLUMN(head, CP_COL_TIME, 0, NULL)
#define CP_CLOCK(head) CP_COLUMN(head, CP_COL_CLOCK, 0, NULL)
#define CP_BYTES(head) CP_COLUMN(head, CP_COL_BYTES, 0, NULL)
#define CP_ADDRESS(head) CP_COLUMN(head, CP_COL_ADDRESS, 0, NULL)
#define CP_RATE(head) CP_COLUMN(head, CP_COL_RATE, 0, NULL)
#define CP_CHANGE(head) CP_COLUMN(head, CP_COL_CHANGE, 0, NULL)
#define CP_CHANCE(head) CP_COLUMN(head, CP_COL_CHANCE, 0, NULL)
#define CP_NUMBER(head) CP_COLUMN(head, CP_COL_NUMBER, 0, NULL)

/*
 * Adds a table with its columns.  CP_COLUMNS() stands for an array of them and
 * its length:
 *
 *	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
 *		CP_COUNT("Samples"), CP_TEXT("Object") };
 *	t = cp_report_table(rep, "objects", "Objects", CP_COLUMNS(columns));
 */
CP_API struct cp_table *cp_report_table(struct cp_report *, const char *slug,
    const char *title, const struct cp_column_spec *, size_t n);
#define CP_COLUMNS(array) (array), sizeof(array) / sizeof((array)[0])
/*
 * Adds a table of code, with an event's name for a title: only pages show it.
 */
CP_API struct cp_table *cp_report_code(struct cp_report *, const char *slug,
    const char *title, const struct cp_column_spec *, size_t n);
/* Adds more columns, before the first row; cp_table_column() adds one. */
CP_API void cp_table_columns(
    struct cp_table *, const struct cp_column_spec *, size_t n);
#define cp_table_column(t, ...)                                                \
	cp_table_columns((t), &(const struct cp_column_spec)__VA_ARGS__, 1)
/* Leaves a column out.  Rows still have its value, which is dropped. */
CP_API void cp_table_without(struct cp_table *, const char *head);
/*
 * Sets the event of the table's rows.  CSV, which has one table, joins the
 * tables of a slug and adds a column with the event.
 */
CP_API void cp_table_event(struct cp_table *, const char *);
/*
 * Marks the table as a listing: its last column is a text that people read from
 * row to row.  Numbers that are 0 are left blank, and a narrow terminal shows
 * fewer columns of numbers.
 */
CP_API void cp_table_listing(struct cp_table *);
/*
 * Shows the table in JSON only: it has the parts of what sentences elsewhere in
 * the report say.
 */
CP_API void cp_table_data(struct cp_table *);

/* The value of a row in one column. */
struct cp_cell {
	union {
		const char *text;
		uint64_t u64;
		double number;
	};
	double lo, hi; /* interval of a number; lo > hi: none */
	uint8_t kind;  /* enum cp_cell_kind */
};
enum cp_cell_kind {
	CP_CELL_END, /* after the last one of a row */
	CP_CELL_TEXT,
	CP_CELL_ID, /* u64 in a column of texts; CP_NO_ID: "-" */
	CP_CELL_U64,
	CP_CELL_NUMBER,
	CP_CELL_NONE, /* of a column of any type */
};
/*
 * Adds a row: one value for each column, in order, of the column's type.  A
 * text, a double without an interval and an unsigned integer are taken as they
 * are; cp_cell_...() makes the others:
 *
 *	cp_table_add(t, cp_cell_share(mass, whole), row->count, name);
 *
 * cp_table_row() begins a row that cp_table_cells() fills in several calls.  A
 * value of the wrong type, one too many or too few is a diagnostic with the
 * analysis, table and row, and the cell stays empty.
 */
#define cp_table_add(t, ...)                                                   \
	(cp_table_row(t), cp_table_put((t), CP_CELLS(__VA_ARGS__)))
CP_API void cp_table_row(struct cp_table *);
#define cp_table_cells(t, ...) cp_table_put((t), CP_CELLS(__VA_ARGS__))
/* Adds cells up to CP_CELL_END, or CP_CELLS_MOST. */
CP_API void cp_table_put(struct cp_table *, const struct cp_cell *);

static inline struct cp_cell
cp_cell_same(struct cp_cell c)
{
	return c;
}
static inline struct cp_cell
cp_cell_text(const char *text)
{
	struct cp_cell c = { { text }, 1, 0, CP_CELL_TEXT };

	return c;
}
static inline struct cp_cell
cp_cell_u64(uint64_t v)
{
	struct cp_cell c = { { NULL }, 1, 0, CP_CELL_U64 };

	c.u64 = v;
	return c;
}
/* lo > hi: no interval. */
static inline struct cp_cell
cp_cell_value(double v, double lo, double hi)
{
	struct cp_cell c = { { NULL }, lo, hi, CP_CELL_NUMBER };

	c.number = v;
	return c;
}
static inline struct cp_cell
cp_cell_number(double v)
{
	return cp_cell_value(v, 1, 0);
}
/* The share of part in the whole, with its interval. */
CP_API struct cp_cell cp_cell_share(struct cp_mass part, struct cp_whole);
/* The id of a process, thread, CPU ... in a column of texts. */
CP_API struct cp_cell cp_cell_id(uint64_t);
CP_API struct cp_cell cp_cell_none(void);

enum { CP_CELLS_MOST = 20 };
#ifndef __cplusplus /* there: cp_table_put() with an array */
#define CP_CELL(x)                                                             \
	_Generic((x), char *: cp_cell_text, const char *: cp_cell_text,        \
	    void *: cp_cell_text, double: cp_cell_number,                      \
	    float: cp_cell_number, struct cp_cell: cp_cell_same,               \
	    default: cp_cell_u64)(x)
#define CP_CELLS(...)                                                          \
	CP_CELLS_(__VA_ARGS__, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, \
	    CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E, CP_E,  \
	    CP_E, CP_E)
#define CP_E ((struct cp_cell){ .kind = CP_CELL_END })
#define CP_CELLS_(                                                             \
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, over, ...)     \
	(const struct cp_cell[])                                               \
	{                                                                      \
		CP_CELL(a), CP_CELL(b), CP_CELL(c), CP_CELL(d), CP_CELL(e),    \
		    CP_CELL(f), CP_CELL(g), CP_CELL(h), CP_CELL(i),            \
		    CP_CELL(j), CP_CELL(k), CP_CELL(l), CP_CELL(m),            \
		    CP_CELL(n), CP_CELL(o), CP_CELL(p), CP_CELL(q),            \
		    CP_CELL(r), CP_CELL(s), CP_CELL(t), CP_CELL(over)          \
	}
#endif

/*
 * Sorts the rows by a column when all were added: numbers descend, texts
 * ascend.  More calls sort rows that are equal so far; then they stay in the
 * order in which they were added.
 */
CP_API void cp_table_sort(struct cp_table *, const char *head);
/*
 * Keeps the first n rows, 0: all, and counts the others as the rest, whose
 * weight is the sum of a column; NULL: it has none.  For tables with few more
 * rows than are shown, as all are made.
 */
CP_API void cp_table_top(struct cp_table *, uint64_t n, const char *weight);
/* Sets the number and weight of the rows that were left out. */
CP_API void cp_table_rest(struct cp_table *, uint64_t rows, uint64_t weight);
/* Sets what that weight is a part of: text shows the share. */
CP_API void cp_table_whole(struct cp_table *, uint64_t weight);
/* Makes text show the first n rows only; other formats have all. */
CP_API void cp_table_brief(struct cp_table *, size_t n);
/* Indents the current row under the one before it (callees of a row ...). */
CP_API void cp_table_indent(struct cp_table *, unsigned depth);
/*
 * Sets the address of the current row's code, as in struct cp_frame; for a
 * function its start.  JSON and pages show it.
 */
CP_API void cp_table_at_code(struct cp_table *, uint64_t addr);
/*
 * Sets the object of the current row's function, which several may share the
 * name with.  JSON and pages show its number.
 */
CP_API void cp_table_in_object(struct cp_table *, uint32_t dso);
/*
 * Adds n rows that are too many to be kept.  fn starts and fills each row while
 * it is written.  Rows are requested in order, from 0 on, maybe more than once.
 * The table must have no other rows.
 */
typedef void (*cp_row_fn)(void *ctx, struct cp_table *, uint64_t row);
CP_API void cp_table_rows(
    struct cp_table *, uint64_t n, cp_row_fn fn, void *ctx);

/* Weighted tree (flame graph). Node 0 is the root, made with the tree. */
CP_API struct cp_tree *cp_report_tree(
    struct cp_report *, const char *slug, const char *title);
/*
 * Adds a node and returns its number; parents first.  Nodes are not merged.
 * name and detail are kept, not copied: they must outlive the report (names
 * of symbols and interned strings do).
 */
CP_API uint32_t cp_tree_node(struct cp_tree *, uint32_t parent,
    const char *name, const char *detail, enum cp_kind);
CP_API void cp_tree_add(
    struct cp_tree *, uint32_t node, uint64_t weight, uint64_t samples);

/*
 * Adds the part of the node's total that comes from stacks in which its frame
 * was guessed.
 */
CP_API void cp_tree_guess(
    struct cp_tree *, uint32_t node, enum cp_guess, uint64_t weight);

/*
 * Sets name and type of the tree's weights, if they differ from the report's,
 * and a word for its samples ("waits").  Texts are copied.
 */
CP_API void cp_tree_unit(struct cp_tree *, const char *name,
    enum cp_column_type, const char *samples);

/*
 * Marks the tree as sampled, by a clock for example: another run has other
 * samples.  Pictures mark nodes with so few samples that another run may have
 * none.
 */
CP_API void cp_tree_sampled(struct cp_tree *);

/*
 * Places the node: it begins at that weight.  A tree with such nodes is one in
 * order of time, a flame chart: a node begins where it did, and what of it is
 * below no other is its own.  Each node but the root needs a place.
 */
CP_API void cp_tree_start(struct cp_tree *, uint32_t node, uint64_t start);
/* Says that the node stands for so many more frames too narrow for nodes. */
CP_API void cp_tree_narrow(struct cp_tree *, uint32_t node, uint64_t frames);

/* The meaning of the nodes' values, which decides their colours. */
enum cp_scale {
	CP_SCALE_NONE, /* no values: colours by kind of frame */
	/*
	 * -1 (blue, shrank) ... 0 (neutral) ... 1 (red, grew); in a tree with
	 * weights before: the binary logarithm of after / before
	 */
	CP_SCALE_CHANGE,
	/*
	 * relative to the ratio of the whole: a quarter is blue, four times red
	 */
	CP_SCALE_RATIO,
	/* 0 (blue, time off the CPU) ... 1 (red, on it); in between: of both */
	CP_SCALE_CPU,
};
/* legend names the value: "CPI", "change".  whole: CP_SCALE_RATIO's. */
CP_API void cp_tree_scale(
    struct cp_tree *, enum cp_scale, double whole, const char *legend);
/* Sets a node's value.  A node without a value, or with NaN, is neutral. */
CP_API void cp_tree_value(struct cp_tree *, uint32_t node, double value);
/*
 * Adds to the node's self weight in the capture before, with which the tree is
 * compared.  A tree that has such weights shows them, too.
 */
CP_API void cp_tree_before(struct cp_tree *, uint32_t node, uint64_t weight);
/* Lays out such a tree by the weights before instead. */
CP_API void cp_tree_reverse(struct cp_tree *);

/*
 * Histogram of a value.  A bin holds lo <= value < hi; bins are added in
 * ascending order, do not overlap, and may leave gaps.
 */
CP_API struct cp_histogram *cp_report_histogram(struct cp_report *,
    const char *slug, const char *title, const char *value,
    enum cp_column_type);
CP_API void cp_histogram_bin(
    struct cp_histogram *, uint64_t lo, uint64_t hi, uint64_t count);
/* Gives bins a weight in addition to their counts: "total", CP_COL_TIME. */
CP_API void cp_histogram_unit(
    struct cp_histogram *, const char *name, enum cp_column_type);
/* Sets the weight of the bin added last. */
CP_API void cp_histogram_weight(struct cp_histogram *, uint64_t weight);

/*
 * An axis of a grid: count cells.  Cell i holds the values from + i * step up
 * to from + (i + 1) * step; or, with edges, edges[i] up to edges[i + 1]; or,
 * with labels, whatever labels[i] says (its type is CP_COL_TEXT).
 */
struct cp_axis {
	const char *name;
	enum cp_column_type type;
	uint32_t count;
	uint64_t from, step;
	const uint64_t *edges;     /* count + 1 */
	const char *const *labels; /* count */
};
/* Heat map.  value and type say what its cells hold; all is copied. */
CP_API struct cp_grid *cp_report_grid(struct cp_report *, const char *slug,
    const char *title, const struct cp_axis *x, const struct cp_axis *y,
    const char *value, enum cp_column_type);
/*
 * Adds to a cell; cells outside the axes are dropped.  Most may be empty.  A
 * value of CP_COL_RATE is in thousandths.
 */
CP_API void cp_grid_add(
    struct cp_grid *, uint32_t x, uint32_t y, uint64_t value);
/* How cells are merged if there is no room for each. */
enum cp_merge { CP_MERGE_SUM, CP_MERGE_MEAN, CP_MERGE_MOST };
CP_API void cp_grid_merge(struct cp_grid *, enum cp_merge);

/* The state in a span of time; renderers choose its colour by it. */
enum cp_tone {
	CP_TONE_PLAIN,
	CP_TONE_RUN,   /* running, on a CPU */
	CP_TONE_WAIT,  /* runnable, but not running */
	CP_TONE_BLOCK, /* blocked: waits for something other than a CPU */
	CP_TONE_IDLE,
	CP_TONE_UNKNOWN,
};
/* Lanes of spans, over the capture's clock: one per thread, CPU, ... */
CP_API struct cp_lanes *cp_report_lanes(
    struct cp_report *, const char *slug, const char *title);
/* Adds a kind of spans, or a lane; returns its number, from 0. */
CP_API uint32_t cp_lanes_kind(
    struct cp_lanes *, const char *name, enum cp_tone);
CP_API uint32_t cp_lanes_lane(struct cp_lanes *, const char *name);
/*
 * Adds a span: start...end in ns of the capture's clock; text is a description,
 * which is copied, or NULL.  Spans of a lane are added in order of time.
 */
CP_API void cp_lanes_span(struct cp_lanes *, uint32_t lane, uint32_t kind,
    uint64_t start, uint64_t end, const char *text);
/* Sets how full the span added last was, 0...1; 1 by default. */
CP_API void cp_lanes_level(struct cp_lanes *, double level);

/*
 * Sets the event of the report, if it is not the one that cp_event_before()
 * chooses.
 */
CP_API void cp_report_event(struct cp_report *, const char *name);
CP_API void cp_report_scalar(struct cp_report *, const char *section,
    const char *key, enum cp_column_type, uint64_t value);
CP_API void cp_report_scalar_text(struct cp_report *, const char *section,
    const char *key, const char *value);
CP_API void cp_report_scalar_share(
    struct cp_report *, const char *section, const char *key, double value);
/* Adds a share or a rate with its 95 % interval. */
CP_API void cp_report_scalar_value(struct cp_report *, const char *section,
    const char *key, enum cp_column_type, double value, double lo, double hi);
CP_API void cp_report_note(struct cp_report *, const char *fmt, ...)
    CP_PRINTF(2, 3);

/* The columns of a set, and a row's cells in them; q is evaluated often. */
#define CP_QUANTILES_COLUMNS                                                   \
	CP_TIME("Average"), CP_TIME("p50"), CP_TIME("p95"), CP_TIME("p99"),    \
	    CP_TIME("Max")
#define CP_QUANTILES_CELLS(q)                                                  \
	(q)->n != 0 ? cp_quantiles_mean(q) : CP_NO_TIME,                       \
	    cp_quantiles_cell(q, 0.5), cp_quantiles_cell(q, 0.95),             \
	    cp_quantiles_cell(q, 0.99), (q)->n != 0 ? (q)->max : CP_NO_TIME
CP_API struct cp_cell cp_quantiles_cell(struct cp_quantiles *, double share);
/*
 * Notes, for tables over n values, that percentiles of large rows come from
 * buckets.
 */
CP_API void cp_quantiles_note(struct cp_report *, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
