/* SPDX-License-Identifier: MIT */
/*
 * render/common/format.h: formats numbers for people.
 *
 * For renderers whose reader is a person; machines get raw numbers.
 *
 * This room has what text and svg both need: escaped texts (escape), numbers
 * (format), trees from parents to children (tree-order, tree-value), the sink
 * (out).  It may use render.h, report/ and base/.  Begin in format.h and
 * escape.h.
 */
#ifndef CP_RENDER_COMMON_FORMAT_H
#define CP_RENDER_COMMON_FORMAT_H

#include "base/buf.h"
#include "report/report.h"

void cp_format_count(struct cp_buf *, uint64_t); /* 12,345 */
/* 2 samples, 1 sample: a value and its unit, given as the plural. */
void cp_format_unit(struct cp_buf *, enum cp_column_type,
    const struct cp_value *, const char *unit);
void cp_format_time(struct cp_buf *, uint64_t ns);  /* 1.23 ms */
void cp_format_clock(struct cp_buf *, uint64_t ns); /* 12.345678901 s */
void cp_format_bytes(struct cp_buf *, uint64_t);    /* 4.0 KiB */
void cp_format_share(struct cp_buf *, double);      /* 12.34% */
void cp_format_share_interval(struct cp_buf *, double lo, double hi);
void cp_format_change(struct cp_buf *, double); /* +12.3%, ×25 */
void cp_format_chance(struct cp_buf *, double); /* 0.013, <1e-6 */
void cp_format_rate(struct cp_buf *, double);
/* Formats a value by its type; text is escaped for a terminal. */
void cp_format_value(
    struct cp_buf *, enum cp_column_type, const struct cp_value *);
/*
 * Formats a value on an axis; times are relative to the start of the capture.
 */
void cp_format_axis(
    struct cp_buf *, const struct cp_report *, enum cp_column_type, uint64_t);
/*
 * Formats the i-th edge of an axis without labels; all edges of one that has
 * steps have one unit and one number of decimals.
 */
void cp_format_edge(struct cp_buf *, const struct cp_report *,
    const struct cp_axis *, uint32_t i);

#endif
