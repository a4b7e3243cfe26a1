/* SPDX-License-Identifier: MIT */
/* run/moment.h: the moments that --time names. */
#ifndef CP_RUN_MOMENT_H
#define CP_RUN_MOMENT_H

#include "base/buf.h"
#include "base/diag.h"
#include "model/info.h"

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

/*
 * Parses "FROM,TO", "FROM..TO", a duration from the start, or a part as perf
 * writes it, "10%/2" or "10%-20%".
 */
bool cp_window_parse(
    const char *, struct cp_moment *from, struct cp_moment *to);
/*
 * Writes a window as it chooses the same anywhere: moments of the wall clock
 * are written in UTC.  False: it has none.  wall: when the capture began, in ns
 * since 1970; CP_NO_TIME: as if now.
 */
bool cp_window_told(const char *, uint64_t wall, struct cp_buf *);
/* Writes a value of --clock-offset likewise. */
void cp_clock_told(const char *, struct cp_buf *);
/*
 * Sets the wall clock of a capture that begins at `start` as --clock-offset
 * says, if it is given; CP_FAIL after a diagnostic.
 */
int cp_clock_set(struct cp_clock *, const char *value, uint64_t start,
    struct cp_diags *) CP_MUST_USE;
/*
 * Converts a moment to CP_AT_CLOCK, unless it is CP_AT_NONE; first is the start
 * of the capture.  False after a report of a moment that cannot be converted.
 */
bool cp_moment_settle(struct cp_moment *, const struct cp_info *,
    uint64_t first, struct cp_diags *);

#endif
