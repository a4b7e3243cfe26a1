/* SPDX-License-Identifier: MIT */
/*
 * html: the whole report as one page that needs no other file.
 *
 * If there are samples the page carries them, and shows them (render/page).
 * Of several captures there are none (diff): sections follow each other as in
 * the text; numbers are written the same way.  Call trees and charts are the
 * svg renderer's pictures, inside the page. The page works without scripts; the
 * pictures then stand still.
 */
#include "render/page/page.h"
#include "render/page/static.h"
#include "render/render.h"

static const char *const page_css[] = {
#include "render/page.css.inc"
};

static void
put_head(const struct cp_report *r, struct cp_out *out)
{
	const char *title = *r->title != '\0' ? r->title : r->analysis;

	cp_out_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			"<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width\""
			">\n<title>");
	cp_page_text(out, title);
	cp_out_str(out, "</title>\n<style>\n");
	for (size_t i = 0; i < CP_ARRAY_LEN(page_css); i++)
		cp_out_str(out, page_css[i]);
	cp_out_str(out, "</style>\n</head>\n<body>\n<h1>");
	cp_page_text(out, title);
	cp_out_str(out, "</h1>\n");
}

/* The samples of a report; NULL: it has none. */
static const struct cp_profile *
profile_of(const struct cp_report *r)
{
	for (const struct cp_section *s = r->first; s != NULL; s = s->next)
		if (s->type == CP_SECTION_PROFILE)
			return s->profile;
	return NULL;
}

static void
html_write(const struct cp_report *r, const struct cp_render_options *opt,
    struct cp_out *out, struct cp_left *left)
{
	const struct cp_profile *p = profile_of(r);

	if (p != NULL) {
		cp_page_write(r, p, opt, out);
		return;
	}
	put_head(r, out);
	cp_page_subtitle(r, opt, out);
	cp_page_sections(r, opt, out, true);
	cp_out_str(out, "</body>\n</html>\n");
}

const struct cp_renderer cp_renderer_html = {
	.name = "html",
	.suffix = ".html",
	.shows = CP_SHOWS_ALL | CP_SHOWS(CP_SECTION_PROFILE),
	.write = html_write,
};
