/* SPDX-License-Identifier: MIT */
/* remarks: what cannot be compared, or only as a whole. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyses/diff/diff.h"

void
cp_diff_remark(struct cp_diff *d, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	if (d->n_remarks == CP_DIFF_REMARKS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	d->remark[d->n_remarks++] = cp_diff_copy(d->run, text, strlen(text));
}

static const char *
missing(const struct cp_diff_profile *p)
{
	if (p->samples == 0)
		return "samples";
	return p->same_event ? "cost" : "event";
}

const char *
cp_diff_lacks(const struct cp_diff *d)
{
	const struct cp_diff_profile *p = d->profiles.all;
	const struct cp_diff_profile *first = cp_diff_first(&d->profiles);
	char text[1000];

	for (uint32_t r = 0; r < d->n_runs; r++) {
		if (p[r].weight > 0 && p[r].same_event)
			continue;
		snprintf(text, sizeof(text), "%.600s (%s) has no %s%s%.200s",
		    p[r].name, r < d->runs.before ? "before" : "after",
		    missing(&p[r]),
		    first != NULL && &p[r] != first ? " of " : "",
		    first != NULL && &p[r] != first ? first->event : "");
		return cp_diff_copy(d->run, text, strlen(text));
	}
	return NULL;
}
