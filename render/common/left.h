/* SPDX-License-Identifier: MIT */
/*
 * render/common/left.h: the sections that a format left out; cli/ tells the
 * user.
 */
#ifndef CP_RENDER_COMMON_LEFT_H
#define CP_RENDER_COMMON_LEFT_H

#include "report/report.h"

/* Zeroed by the caller, freed by cp_left_free(). */
struct cp_left {
	CP_VEC(const struct cp_section *) sections;
	const char *limit; /* a limit of base/limits.h that was hit, or NULL */
	/* the limit cut the output, so the output must not be kept */
	bool cut;
};
void cp_left_add(struct cp_left *, const struct cp_section *);
void cp_left_free(struct cp_left *);

#endif
