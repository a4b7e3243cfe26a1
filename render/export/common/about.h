/* SPDX-License-Identifier: MIT */
/*
 * render/export/common/about.h: describes an export in sentences: its label,
 * its events with their losses, and the account of quality.
 */
#ifndef CP_RENDER_EXPORT_COMMON_ABOUT_H
#define CP_RENDER_EXPORT_COMMON_ABOUT_H

#include "render/export/common/samples.h"
#include "render/render.h"

typedef void (*cp_about_fn)(void *ctx, const char *line);

/* Calls fn with each line, not escaped: fn must escape it. */
void cp_export_about(const struct cp_export *, const struct cp_render_options *,
    cp_about_fn fn, void *ctx);

/* Writes a sentence on an event, with its unit, period and losses. */
void cp_export_event_line(struct cp_buf *, const struct cp_profile_event *);

/*
 * Returns the unit as pprof and similar formats spell it: "nanoseconds",
 * "count" ...
 */
const char *cp_export_unit(const struct cp_profile_event *);

#endif
