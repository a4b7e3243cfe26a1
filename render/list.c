/* SPDX-License-Identifier: MIT */
/* render/list.c: finds a renderer and runs it. */
#include "base/strings.h"
#include "render/render.h"
#include "report/report.h"

static const struct cp_renderer *const renderers[] = {
#define CP_RENDERER(id) &cp_renderer_##id,
#include "render/list.def"
#include "render/export/list.def"
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

/* Returns the length of a suffix if the path ends with it and has more. */
static size_t
ends_with(const char *path, const char *suffix, size_t m)
{
	size_t n = strlen(path);

	return n > m && memcmp(path + n - m, suffix, m) == 0 ? m : 0;
}

/* Returns how much of the path says that it is of the renderer; or 0. */
static size_t
match(const struct cp_renderer *r, const char *path)
{
	size_t best = ends_with(path, r->suffix, strlen(r->suffix));
	const char *more = r->others != NULL ? r->others : "";

	for (; *more != '\0'; more += strspn(more, " ")) {
		size_t n = strcspn(more, " ");

		best = CP_MAX(best, ends_with(path, more, n));
		more += n;
	}
	if (r->prefix != NULL &&
	    strncmp(cp_basename(path), r->prefix, strlen(r->prefix)) == 0)
		best = CP_MAX(best, strlen(r->prefix));
	return best;
}

const struct cp_renderer *
cp_renderer_of_path(const char *path)
{
	const struct cp_renderer *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < CP_ARRAY_LEN(renderers); i++) {
		size_t n = match(renderers[i], path);

		if (n > most) {
			best = renderers[i];
			most = n;
		}
	}
	return best;
}

bool
cp_renderer_can(const struct cp_renderer *r, const struct cp_report *rep)
{
	const unsigned holds = CP_SHOWS_TIMED | CP_SHOWS(CP_SECTION_PROFILE);
	bool can = false;

	for (const struct cp_section *s = rep->first; s != NULL; s = s->next) {
		if ((r->shows & CP_SHOWS(s->type)) == 0)
			continue;
		if (s->type == CP_SECTION_TREE && cp_tree_timed(&s->tree) &&
		    (r->shows & holds) == 0)
			return false;
		can = true;
	}
	return can;
}

int
cp_render(const struct cp_renderer *r, const struct cp_report *rep,
    const struct cp_render_options *opt, struct cp_out *out,
    struct cp_left *left)
{
	r->write(rep, opt, out, left);
	return cp_out_end(out);
}
