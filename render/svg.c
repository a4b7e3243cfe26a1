/* SPDX-License-Identifier: MIT */
/*
 * svg: the report's first picture (a tree as flame graph, a heat map, a
 * histogram, lanes), in one file that needs no other.
 */
#include "render/svg/draw.h"

static void
svg_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const unsigned drawn = CP_SHOWS(CP_SECTION_TREE) | CP_SHOWS_CHARTS;
	const struct cp_section *first = NULL;

	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if ((drawn & CP_SHOWS(s->type)) && first == NULL)
			first = s;
		else if ((drawn & CP_SHOWS(s->type)) ||
			 s->type == CP_SECTION_TABLE)
			cp_left_add(left, s);
	}
	if (first == NULL)
		return;
	cp_out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	cp_svg_section(r, first, opt, out);
}

const struct cp_renderer cp_renderer_svg = {
	.name = "svg",
	.suffix = ".svg",
	.shows = CP_SHOWS(CP_SECTION_TREE) | CP_SHOWS_CHARTS | CP_SHOWS_TIMED,
	.write = svg_write,
};
