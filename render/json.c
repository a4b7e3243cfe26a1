/* SPDX-License-Identifier: MIT */
/* json: the whole report for machines. */
#include "render/common/json-report.h"
#include "render/render.h"

static void
json_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	cp_json_report(r, opt->tool, CP_JSON_ALL, out);
}

const struct cp_renderer cp_renderer_json = {
	.name = "json",
	.suffix = ".json",
	.shows = CP_SHOWS_ALL,
	.write = json_write,
};
