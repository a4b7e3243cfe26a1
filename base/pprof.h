/* SPDX-License-Identifier: MIT */
/* base/pprof.h: what a profile of pprof's says, from its import to an export.
 */
#ifndef CP_BASE_PPROF_H
#define CP_BASE_PPROF_H

#include <stddef.h>
#include <stdint.h>

/* Type and unit of values; event: the name of ours, NULL: numbers of samples.
 */
struct cp_report_type {
	const char *event, *name, *unit;
};

/* What a profile of pprof's says of itself, so that it is the same again. */
struct cp_report_pprof {
	const struct cp_report_type *types; /* of each sample's values */
	size_t n;
	struct cp_report_type period_type; /* name NULL: none */
	const char *shown;                 /* the type to show; NULL: none */
	uint64_t period, time, duration;   /* 0: none; nanoseconds */
};

#endif
