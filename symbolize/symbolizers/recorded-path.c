/* SPDX-License-Identifier: MIT */
/*
 * The file at the recorded path on this machine.  If it was deleted or replaced
 * since, it is used only if its build ID is the recorded one.
 */
#include <unistd.h>

#include "base/port.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

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

/*
 * Why the file, found without a build ID, cannot be the one that was mapped;
 * NULL: it can.  A file that was deleted when it was mapped may have been put
 * back later; what was at its path already is what replaced it.
 */
static const char *
replaced(const struct cp_symbols *s, const struct cp_object *o, int fd)
{
	const struct cp_dso_info *d = o->dso;
	struct stat st;

	if (d->pub.build_id_size != 0 || fstat(fd, &st) != 0)
		return NULL;
	if (d->ino != 0 && st.st_dev == makedev(d->maj, d->min)) {
		if (st.st_ino == d->ino && o->deleted)
			return NULL;
		if (st.st_ino != d->ino && !o->deleted)
			return "it was replaced since";
	}
	if (o->deleted)
		return s->capture_time != 0 && st.st_ctime >= s->capture_time
			   ? NULL
			   : "it replaced the one that ran; --symbols takes it "
			     "nevertheless";
	if (s->capture_time == 0)
		return NULL;
	return st.st_mtime > s->capture_time ? "it was replaced since" : NULL;
}

static void
recorded_find(struct cp_symbols *s, struct cp_object *o)
{
	const char *why = NULL;
	int fd;

	if (!allowed(s, o) || !is_path(o->name))
		return;
	fd = cp_object_opened(o, cp_objfile_open_recorded(o->name), o->name);
	if (fd >= 0 && !s->opt.allow_mismatch)
		why = replaced(s, o, fd);
	if (why != NULL) {
		cp_object_note(
		    o, CP_D_MISMATCH, "no build ID, and %s: %s", why, o->name);
		o->mismatch = true;
		close(fd);
		return;
	}
	/* With an ID in the capture, what has none is not it. */
	o->verified_only = o->deleted && o->dso->pub.build_id_size != 0;
	cp_object_offer(o, &cp_symbolizer_recorded_path, fd, o->name);
	o->verified_only = false;
}

const struct cp_symbolizer cp_symbolizer_recorded_path = {
	.name = "recorded-path",
	.source = CP_SOURCE_LOCAL,
	.find = recorded_find,
};
