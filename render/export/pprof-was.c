/* SPDX-License-Identifier: MIT */
#include "render/export/pprof-was.h"

uint32_t
cp_pprof_column(const struct cp_report_pprof *was, const char *event)
{
	for (uint32_t i = 0; i < was->n; i++)
		if (was->types[i].event != NULL &&
		    strcmp(was->types[i].event, event) == 0)
			return i;
	return CP_NO_ID;
}

const struct cp_report_pprof *
cp_pprof_was(const struct cp_export *x)
{
	const struct cp_report_pprof *was = x->report->pprof;
	const struct cp_profile *p = x->profile;

	if (was == NULL || (x->report->weight != NULL &&
			       strcmp(x->report->weight, "period") != 0))
		return NULL;
	for (size_t i = 0; i < p->events.len; i++)
		if (p->events.data[i].samples != 0 &&
		    cp_pprof_column(was, p->events.data[i].name) == CP_NO_ID)
			return NULL;
	return was;
}
