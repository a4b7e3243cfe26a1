/* SPDX-License-Identifier: MIT */
/*
 * The file at the recorded path of this machine.  A file that was deleted or
 * replaced while recording is used only if the build ID says that what lies
 * there now is the same.
 */
#include <unistd.h>

#include "symbolize/chain.h"

#define DELETED " (deleted)"

static bool
is_path(const char *name)
{
	return name[0] == '/' && name[1] != '/' && name[1] != '\0' &&
	       strncmp(name, "/memfd:", 7) != 0;
}

static bool
recorded_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;
	const char *name = cp_object_name(s, o);
	size_t n = strlen(name), cut = strlen(DELETED);
	CP_CLEANUP(cp_cleanup_free) char *path = NULL;
	bool deleted;

	if (!s->opt.recorded_paths || !is_path(name) ||
	    d->kind == CP_DSO_ANON || d->kind == CP_DSO_BPF ||
	    d->level == CP_LEVEL_GUEST_USER ||
	    d->level == CP_LEVEL_GUEST_KERNEL)
		return false;
	deleted = n > cut && strcmp(name + n - cut, DELETED) == 0;
	if (deleted && d->build_id_size == 0)
		return false;
	path = cp_xcalloc(n + 1, 1);
	memcpy(path, name, deleted ? n - cut : n);
	return cp_object_load_elf(o, s, cp_objfile_open(path), path) &&
	       (!deleted || o->trust == CP_TRUST_VERIFIED);
}

const struct cp_symbolizer cp_symbolizer_recorded = {
	.name = "recorded-path",
	.source = CP_SOURCE_LOCAL,
	.open = recorded_open,
};
