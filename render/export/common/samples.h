/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/samples.h: what an export is made of.
 *
 * That is the report's profile, with its samples added up by what the format
 * can tell apart.  A report without a profile has its first tree made into
 * one: nodes are frames without addresses, and there are no threads or times.
 */
#ifndef CP_RENDER_EXPORT_COMMON_SAMPLES_H
#define CP_RENDER_EXPORT_COMMON_SAMPLES_H

#include "render/common/left.h"
#include "render/export/common/rows.h"

/* What is told apart, besides stacks and events. */
enum {
	CP_EXPORT_THREADS = 1,
	CP_EXPORT_CPUS = 2,
	CP_EXPORT_TIMES = 4, /* a row is one sample */
};

/* Notes which sections are left out.  False: nothing can be exported. */
bool cp_export_begin(struct cp_export *, const struct cp_report *,
    unsigned apart, struct cp_left *);
void cp_export_end(struct cp_export *);

#endif
