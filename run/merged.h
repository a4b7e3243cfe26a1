/* SPDX-License-Identifier: MIT */
/*
 * run/merged.h: what a run over the union of captures knows of its frames and
 * objects.  Their captures are closed, so nothing can be looked up any more.
 */
#ifndef CP_RUN_MERGED_H
#define CP_RUN_MERGED_H

#include <coldperf/plugin.h>

#include "base/vec.h"

struct cp_merged {
	const char *first; /* path of the first capture */
	/* By frame: its function, named or told by its bounds; or NULL. */
	CP_VEC(const struct cp_symbol *) function;
	CP_VEC(uint64_t) vaddr; /* by frame; UINT64_MAX: not known */
	CP_VEC(struct cp_dso_state) object; /* by dso id - 1 */
	CP_VEC(const char *) release;       /* the same: of kernels; or NULL */
};

#endif
