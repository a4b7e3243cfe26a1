/* SPDX-License-Identifier: MIT */
/* analyses/list.h: the built-in analyses, for use by cli/. */
#ifndef CP_ANALYSES_LIST_H
#define CP_ANALYSES_LIST_H

#include <coldperf/plugin.h>

/* All analyses, in the order of list.def; ends with NULL. */
extern const struct cp_analysis *const cp_analyses[];
/* Returns the built-in analysis of that name, or NULL. */
const struct cp_analysis *cp_analysis_find(const char *name);

#endif
