/* SPDX-License-Identifier: MIT */
/*
 * Names of JIT code from the perf map of its process.
 *
 * The map's name has the pid in the process's own PID namespace, which in a
 * container is not the recorded pid.  So all available maps are compared with
 * the process's code mappings, and a map is used if it is the only one that
 * fits.
 */
#include <errno.h>

#include "base/limits.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolizers/symbolizers.h"
#include "symbolize/object/jit-files.h"
#include "symbolize/symbolizers/perfmap-text.h"

/* True if most lines of the map are within the process's code. */
static bool
map_fits(const struct cp_object *o, const struct cp_content *text)
{
	size_t inside, all;

	cp_maptext_count(text, o->dso->start, o->dso->end, &inside, &all);
	return inside != 0 && inside >= all - inside;
}

static bool
use(struct cp_object *o, const char *path, struct cp_content *text)
{
	struct cp_maptext m;

	cp_maptext_read(&m, text, &o->tab);
	if (m.bad != 0)
		cp_object_note(o, CP_D_BAD_JIT, "%zu of %zu lines: %s", m.bad,
		    m.lines + m.bad, path);
	if (m.full)
		cp_object_note(o, CP_D_LIMIT, "CP_MAX_SYMBOLS: %s", path);
	if (m.again != 0)
		cp_object_note(o, CP_D_JIT_REUSED, "%zu of %zu symbols: %s",
		    m.again, m.lines, path);
	if (o->tab.all.len == 0) {
		cp_symtab_free(&o->tab);
		cp_content_free(text);
		return false;
	}
	o->text = *text;
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	o->trust = CP_TRUST_ABSENT;
	return true;
}

/* Notes why a map that exists must not be used. */
static bool
read_map(struct cp_symbols *s, struct cp_object *o, const char *path,
    struct cp_content *text)
{
	const char *why;

	if (cp_text_file_read(s, path, CP_MAX_PERF_MAP, text))
		return true;
	why = cp_text_file_why(errno);
	if (why != NULL)
		cp_object_note(o, CP_D_NOT_OPENED, "%s: %s", path, why);
	return false;
}

/* Uses the map of the recorded pid, unless all its addresses are elsewhere. */
static bool
by_pid(struct cp_symbols *s, struct cp_object *o, const cp_paths *paths)
{
	for (size_t i = 0; i < paths->len; i++) {
		struct cp_content text;
		size_t inside, all;

		if (!read_map(s, o, paths->data[i], &text))
			continue;
		cp_maptext_count(
		    &text, o->dso->start, o->dso->end, &inside, &all);
		if (inside != 0 || all == 0)
			return use(o, paths->data[i], &text);
		cp_object_note(o, CP_D_OTHER_JIT, "%s", paths->data[i]);
		cp_content_free(&text);
	}
	return false;
}

static bool
same_text(const struct cp_content *a, const struct cp_content *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* Uses the only map that fits.  Two different ones are ambiguous. */
static bool
by_addresses(struct cp_symbols *s, struct cp_object *o, const cp_paths *paths)
{
	struct cp_content text, found = { 0 };
	const char *path = NULL;

	for (size_t i = 0; i < paths->len; i++) {
		if (!read_map(s, o, paths->data[i], &text))
			continue;
		if (!map_fits(o, &text) ||
		    (path != NULL && same_text(&text, &found))) {
			cp_content_free(&text);
		} else if (path == NULL) {
			path = paths->data[i];
			found = text;
		} else {
			cp_object_note(o, CP_D_OTHER_JIT, "%s or %s", path,
			    paths->data[i]);
			cp_content_free(&text);
			cp_content_free(&found);
			return false;
		}
	}
	return path != NULL && use(o, path, &found);
}

static bool
perfmap_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *d = o->dso;
	cp_paths paths = { 0 };
	char name[40];
	bool found;

	if (d->pub.kind != CP_DSO_ANON || d->end <= d->start)
		return false;
	snprintf(
	    name, sizeof(name), "perf-%" PRId32 ".map", (int32_t)d->pub.pid);
	cp_jitfiles_named(&s->opt, name, &o->arena, &paths);
	cp_text_file_perf_maps(s, name, &paths);
	if (s->opt.recorded_paths) {
		char *p = cp_arena_alloc(&o->arena, 64);

		snprintf(p, 64, "/tmp/%s", name);
		*cp_vec_push(&paths) = p;
	}
	found = d->pid_ns != CP_NS_OTHER && by_pid(s, o, &paths);
	if (!found && d->pid_ns != CP_NS_INITIAL) {
		paths.len = 0;
		cp_jitfiles_maps(&s->opt, &o->arena, &paths);
		cp_text_file_perf_maps(s, NULL, &paths);
		found = by_addresses(s, o, &paths);
	}
	cp_vec_free(&paths);
	return found;
}

const struct cp_symbolizer cp_symbolizer_perfmap = {
	.name = "perf-map",
	.source = CP_SOURCE_PERF_MAP,
	.plain = true,
	.open = perfmap_open,
};
