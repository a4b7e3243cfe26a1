/* SPDX-License-Identifier: MIT */
/* render/export/pprof-was.h: what an imported profile of pprof's was like. */
#ifndef CP_RENDER_EXPORT_PPROF_WAS_H
#define CP_RENDER_EXPORT_PPROF_WAS_H

#include "base/pprof.h"
#include "render/export/common/samples.h"

/* The column of an event among the values of its samples; CP_NO_ID: none. */
uint32_t cp_pprof_column(const struct cp_report_pprof *, const char *event);
/* What an export says again; NULL: other events or weights, or no pprof. */
const struct cp_report_pprof *cp_pprof_was(const struct cp_export *);

#endif
