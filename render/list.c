/* SPDX-License-Identifier: MIT */
/* render/list.c: finds a renderer and runs it. */
#include "render/render.h"

static const struct cp_renderer *const renderers[] = {
#define CP_RENDERER(id) &cp_renderer_##id,
#include "render/list.def"
#undef CP_RENDERER
};

size_t
cp_renderer_count(void)
{
	return CP_ARRAY_LEN(renderers);
}

const struct cp_renderer *
cp_renderer_at(size_t i)
{
	return i < CP_ARRAY_LEN(renderers) ? renderers[i] : NULL;
}

const struct cp_renderer *
cp_renderer_find(const char *name)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(renderers); i++)
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
	return NULL;
}

static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && memcmp(s + n - m, end, m) == 0;
}

const struct cp_renderer *
cp_renderer_of_path(const char *path)
{
	const struct cp_renderer *best = NULL;

	for (size_t i = 0; i < CP_ARRAY_LEN(renderers); i++)
		if (ends_with(path, renderers[i]->suffix) &&
		    (best == NULL ||
			strlen(renderers[i]->suffix) > strlen(best->suffix)))
			best = renderers[i];
	return best;
}

bool
cp_renderer_can(const struct cp_renderer *r, const struct cp_report *rep)
{
	for (const struct cp_section *s = rep->first; s != NULL; s = s->next)
		if (r->shows & CP_SHOWS(s->type))
			return true;
	return false;
}

int
cp_render(const struct cp_renderer *r, const struct cp_report *rep,
    const struct cp_render_options *opt, struct cp_out *out,
    struct cp_left *left)
{
	r->write(rep, opt, out, left);
	return cp_out_end(out);
}
