/* SPDX-License-Identifier: MIT */
#include "report/section.h"

const char *
cp_report_text(struct cp_report *r, const char *s)
{
	return cp_arena_strndup(&r->arena, s, strlen(s));
}

struct cp_section *
cp_section_new(struct cp_report *r, enum cp_section_type type, const char *slug,
    const char *title)
{
	struct cp_section *s = cp_arena_alloc(&r->arena, sizeof(*s));

	s->type = type;
	s->slug = cp_report_text(r, slug);
	s->title = cp_report_text(r, title);
	s->by = r->by;
	*r->last = s;
	r->last = &s->next;
	return s;
}
