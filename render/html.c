/* SPDX-License-Identifier: MIT */
/*
 * html: the whole report as one page that needs no other file, with the samples
 * it speaks of (render/page).
 */
#include "render/page/page.h"
#include "render/render.h"

static void
html_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_profile *p = cp_profile_of(r);
	struct cp_profile none = { 0 };

	(void)left;
	if (p == NULL)
		cp_profile_init(&none);
	cp_page_write(r, p != NULL ? p : &none, opt, out);
	cp_profile_free(&none);
}

const struct cp_renderer cp_renderer_html = {
	.name = "html",
	.suffix = ".html",
	.shows = CP_SHOWS_ALL | CP_SHOWS(CP_SECTION_PROFILE) |
		 CP_SHOWS(CP_SECTION_CODE),
	.labels = true,
	.several = true,
	.write = html_write,
};
