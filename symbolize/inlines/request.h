/* SPDX-License-Identifier: MIT */
/*
 * symbolize/inlines/request.h: requests for inlined functions and lines, and
 * their results.
 */
#ifndef CP_SYMBOLIZE_INLINES_REQUEST_H
#define CP_SYMBOLIZE_INLINES_REQUEST_H

#include "model/dso.h"

/* Result for one address: the function and those inlined into it. */
struct cp_spots {
	const struct cp_spot *at; /* outermost first */
	uint32_t n;               /* 0: unknown */
};
/* Suffix of the names of inlined functions, as in perf. */
#define CP_INLINED " (inlined)"
/* A request for inlined functions and lines; addresses in any order. */
struct cp_inlines {
	const struct cp_dso_info *dso;
	const uint64_t *addr;
	size_t n;
	struct cp_spots *out;
	/* Bypasses the disk cache, which has no MD5 of source files. */
	bool fresh;
};

#endif
