/* SPDX-License-Identifier: MIT */
/*
 * report/origin.h: a capture that a report is about.  A report over several
 * captures has an origin for each, with its account of quality.
 */
#ifndef CP_REPORT_ORIGIN_H
#define CP_REPORT_ORIGIN_H

#include <coldperf/plugin.h>

/* Texts that are not known are empty. */
struct cp_report_origin {
	const char *name; /* its path */
	const char *host, *kernel, *arch, *command;
	const char *label, *date;
	const char *filter; /* what was chosen of it, as options */
	const char *damage; /* cp_run_damage(): what readers said of it */
	uint64_t at; /* when it begins on the report's clock; CP_NO_TIME */
	/*
	 * On its own clock: where --time counts from, and when it ends if it
	 * says so; ns since 1970 at its first sample.  CP_NO_TIME: not known.
	 */
	uint64_t start, end, wall;
	struct cp_quality quality;
};

#endif
