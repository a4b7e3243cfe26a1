/* SPDX-License-Identifier: MIT */
#include "analyses/list.h"

#include <string.h>

#define CP_ANALYSIS(id) extern const struct cp_analysis cp_analysis_##id;
#include "analyses/list.def"
#undef CP_ANALYSIS

const struct cp_analysis *const cp_analyses[] = {
#define CP_ANALYSIS(id) &cp_analysis_##id,
#include "analyses/list.def"
#undef CP_ANALYSIS
	NULL
};

const struct cp_analysis *
cp_analysis_find(const char *name)
{
	for (size_t i = 0; cp_analyses[i] != NULL; i++)
		if (strcmp(cp_analyses[i]->name, name) == 0)
			return cp_analyses[i];
	return NULL;
}
