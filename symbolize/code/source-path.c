/* SPDX-License-Identifier: MIT */
/*
 * Source files of this machine, at the paths that debug information names.
 *
 * Whoever writes debug information chooses the paths in it.  An object from
 * elsewhere could name any file of the user, and have annotate show it or pack
 * send it.  So a path is opened only if the object is a file of this machine
 * that only the user and root can write to, has the recorded build ID, and was
 * compiled in a folder that holds the text.
 */
#include "symbolize/code/source-text.h"

#include <limits.h>
#include <unistd.h>

#include "base/port.h"
#include "base/strings.h"
#include "symbolize/inlines/inlines.h"
#include "symbolize/object/object.h"

/* Are these the bytes of the file at the recorded path? */
static bool
is_recorded_file(const struct cp_symbols *s, const struct cp_object *o,
    const struct cp_elf *e)
{
	const char *path = cp_object_name(s, o);
	struct cp_content c;
	bool same;

	if (path[0] != '/' ||
	    !cp_objfile_take(cp_objfile_open_recorded(path), &c))
		return false;
	same = c.from.ours && c.size == e->content.size &&
	       memcmp(c.data, e->content.data, c.size) == 0;
	cp_content_free(&c);
	return same;
}

/* Perf's own cache has copies, of this machine's files and of others'. */
static bool
is_local(const struct cp_symbols *s, const struct cp_object *o)
{
	const struct cp_file *f = o->debug;

	if (f == NULL || f->trust != CP_TRUST_VERIFIED)
		return false;
	if (o->alt != NULL && !o->alt->elf.content.from.ours)
		return false;
	return (f->by->source == CP_SOURCE_LOCAL && f->elf.content.from.ours) ||
	       is_recorded_file(s, o, &f->elf);
}

static bool
begins_with(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Where the open file truly is, past all links. */
static bool
true_path(int fd, char out[PATH_MAX])
{
	return cp_port_path(fd, out, PATH_MAX) && out[0] == '/';
}

static bool
is_below(const char *path, const char *root)
{
	char *folder = realpath(root, NULL);
	bool below = folder != NULL && begins_with(path, folder);

	free(folder);
	return below;
}

static bool
is_compiled_there(const struct cp_strings *roots, const char *path)
{
	for (size_t i = 1; i < roots->text.len; i++)
		if (is_below(path, roots->text.data[i]))
			return true;
	/* Headers that every program is compiled with. */
	return is_below(path, "/usr/include");
}

int
cp_source_open_local(
    struct cp_symbols *s, const struct cp_dso_info *d, const char *file)
{
	const struct cp_strings *roots = cp_symbols_source_roots(s, d);
	struct cp_object *o = cp_object_of(s, d);
	char path[PATH_MAX];
	int fd;

	if (!o->local_tried)
		o->local = is_local(s, o);
	o->local_tried = true;
	if (roots == NULL || !o->local)
		return -1;
	fd = cp_objfile_open_recorded(file);
	if (fd >= 0 &&
	    (!true_path(fd, path) || !is_compiled_there(roots, path))) {
		close(fd);
		fd = -1;
	}
	return fd;
}
