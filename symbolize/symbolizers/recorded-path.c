/* SPDX-License-Identifier: MIT */
/*
 * The file at the recorded path on this machine.  If it was deleted or replaced
 * since, it is used only if its build ID is the recorded one.
 */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

#define DELETED " (deleted)"

static bool
is_path(const char *name)
{
	return name[0] == '/' && name[1] != '/' && name[1] != '\0' &&
	       strncmp(name, "/memfd:", 7) != 0;
}

static bool
allowed(const struct cp_symbols *s, const struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;

	return s->opt.recorded_paths && d->kind != CP_DSO_ANON &&
	       d->kind != CP_DSO_BPF && d->level != CP_LEVEL_GUEST_USER &&
	       d->level != CP_LEVEL_GUEST_KERNEL;
}

/* True if the file is not the one that was mapped. */
static bool
replaced(const struct cp_symbols *s, const struct cp_dso_info *d, int fd)
{
	struct stat st;

	if (fd < 0 || d->pub.build_id_size != 0 || fstat(fd, &st) != 0)
		return false;
	if (d->ino != 0 && st.st_dev == makedev(d->maj, d->min) &&
	    st.st_ino != d->ino)
		return true;
	return s->capture_time != 0 && st.st_mtime > s->capture_time;
}

static void
recorded_find(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_object_name(s, o);
	size_t n = strlen(name), cut = strlen(DELETED);
	CP_CLEANUP(cp_cleanup_free) char *path = NULL;
	int fd;
	bool deleted = n > cut && strcmp(name + n - cut, DELETED) == 0;

	if (!allowed(s, o) || !is_path(name) ||
	    (deleted && o->dso->pub.build_id_size == 0))
		return;
	path = cp_xcalloc(n + 1, 1);
	memcpy(path, name, deleted ? n - cut : n);
	fd = cp_object_opened(o, cp_objfile_open_recorded(path), path);
	if (replaced(s, o->dso, fd) && !s->opt.allow_mismatch) {
		cp_object_note(o, CP_D_MISMATCH,
		    "no build ID, and it was replaced since: %s", path);
		o->mismatch = true;
		close(fd);
		return;
	}
	o->verified_only = deleted;
	cp_object_offer(o, &cp_symbolizer_recorded_path, fd, path);
	o->verified_only = false;
}

const struct cp_symbolizer cp_symbolizer_recorded_path = {
	.name = "recorded-path",
	.source = CP_SOURCE_LOCAL,
	.find = recorded_find,
};
