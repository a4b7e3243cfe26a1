/* SPDX-License-Identifier: MIT */
/* run/moment.h: the moments that --time names. */
#ifndef CP_RUN_MOMENT_H
#define CP_RUN_MOMENT_H

#include "base/buf.h"
#include "base/diag.h"
#include "model/info.h"
#include "run/intervals.h"

struct cp_moment {
	enum {
		CP_AT_NONE,  /* no limit */
		CP_AT_CLOCK, /* ns of the capture's clock */
		CP_AT_START, /* ns from the capture's start */
		CP_AT_SHARE, /* part of the capture's length */
		CP_AT_WALL,  /* ns since 1970 */
		CP_AT_DAY,   /* ns since midnight, of the capture's day */
	} kind;
	uint64_t ns;
	double share;
	bool utc; /* CP_AT_DAY: not in local time */
};

struct cp_window {
	struct cp_moment from, to;
};
typedef CP_VEC(struct cp_window) cp_windows;

/*
 * Adds the windows of a value of --time: "FROM,TO", "FROM..TO", a duration from
 * the start, or several, as perf writes them: "10%/2,10%/4", "0%-10%,50%-60%",
 * "A,B C,D".
 */
bool cp_windows_parse(const char *, cp_windows *);
/*
 * Writes windows up to a space as they choose the same anywhere: moments of the
 * wall clock are written in UTC.  False: there are none.  wall: when the
 * capture began, in ns since 1970; CP_NO_TIME: as if now.
 */
bool cp_windows_told(const char *, uint64_t wall, struct cp_buf *);
/* Writes a value of --clock-offset likewise. */
void cp_clock_told(const char *, struct cp_buf *);
/*
 * Sets the wall clock of a capture that begins at `start` as --clock-offset
 * says, if it is given; CP_FAIL after a diagnostic.
 */
int cp_clock_set(struct cp_clock *, const char *value, uint64_t start,
    struct cp_diags *) CP_MUST_USE;
/*
 * Makes the set of times of all windows; first is the start of the capture.
 * False after a report of a moment that cannot be converted, or of a window
 * that ends before it begins.
 */
bool cp_windows_settle(const cp_windows *, const struct cp_info *,
    uint64_t first, struct cp_diags *, cp_intervals *);

#endif
