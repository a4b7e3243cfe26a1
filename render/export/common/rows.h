/* SPDX-License-Identifier: MIT */
/* render/export/common/rows.h: a profile and the sums of its samples. */
#ifndef CP_RENDER_EXPORT_COMMON_ROWS_H
#define CP_RENDER_EXPORT_COMMON_ROWS_H

#include "report/profile.h"
#include "report/report.h"

struct cp_export_row {
	uint64_t samples, weight;
	uint64_t time; /* CP_NO_TIME */
	uint32_t stack, event;
	uint32_t thread, cpu; /* CP_NO_ID: not told apart, or not recorded */
	uint32_t group;       /* a context, for what it shows; 0: as above */
};

struct cp_export {
	const struct cp_report *report;
	const struct cp_profile *profile;
	CP_VEC(struct cp_export_row) rows; /* in the order of first samples */
	uint32_t event; /* the one to show first; CP_NO_ID: there is none */
	struct cp_profile made; /* of a tree */
};

#endif
