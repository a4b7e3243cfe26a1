/* SPDX-License-Identifier: MIT */
/*
 * Objects from the folders and files of --symbols: by build ID; by the
 * recorded path below a folder as root; a single file by its name.
 */
#include <unistd.h>

#include "symbolize/chain.h"

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool
has_id(const struct cp_symdir_file *f, const struct cp_dso *d)
{
	return cp_build_id_equal(
	    f->build_id, f->build_id_size, d->build_id, d->build_id_size);
}

/* A stripped file and the file of its symbols, each where it may be. */
static bool
by_build_id(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_symdir_file *run = NULL, *syms = NULL;

	for (size_t i = 0; i < s->dirs.files.len; i++) {
		const struct cp_symdir_file *f = &s->dirs.files.data[i];

		if (!f->elf || !has_id(f, &o->dso->pub))
			continue;
		if (f->symbols && syms == NULL)
			syms = f;
		if (!f->symbols && run == NULL)
			run = f;
	}
	if (run == NULL)
		run = syms;
	if (run == NULL)
		return false;
	return cp_object_load_pair(o, s, cp_objfile_open(run->path),
	    syms != NULL && syms != run ? cp_objfile_open(syms->path) : -1,
	    syms != NULL ? syms->path : run->path);
}

static bool
below_root(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_object_name(s, o);

	if (name[0] != '/')
		return false;
	for (size_t i = 0; i < s->dirs.roots.len; i++) {
		int fd = cp_objfile_open_under(s->dirs.roots.data[i], name);

		if (fd >= 0 && cp_object_load_elf(o, s, fd, name))
			return true;
	}
	return false;
}

static bool
by_name(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = last_part(cp_object_name(s, o));

	for (size_t i = 0; i < s->dirs.files.len; i++) {
		const struct cp_symdir_file *f = &s->dirs.files.data[i];

		if (f->given && f->elf &&
		    strcmp(last_part(f->path), name) == 0 &&
		    cp_object_load_elf(o, s, cp_objfile_open(f->path), f->path))
			return true;
	}
	return false;
}

/* A text says nothing of its kernel: believed if the user names it. */
static bool
kallsyms_of(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);

	if (o->dso->pub.kind == CP_DSO_MODULE && k == NULL)
		return false;
	for (size_t i = 0; i < s->dirs.files.len; i++) {
		const struct cp_symdir_file *f = &s->dirs.files.data[i];
		bool same = k != NULL && has_id(f, &k->pub);

		if (f->elf || !(same || (f->given && f->build_id_size == 0)) ||
		    !cp_object_load_kallsyms(o, s, f->path))
			continue;
		o->trust = same ? CP_TRUST_VERIFIED : CP_TRUST_ABSENT;
		return true;
	}
	return false;
}

static bool
symdirs_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;
	bool kernel = d->kind == CP_DSO_KERNEL || d->kind == CP_DSO_MODULE;

	if (d->kind == CP_DSO_BPF || d->kind == CP_DSO_ANON)
		return false;
	if (d->kind == CP_DSO_MODULE && kallsyms_of(s, o))
		return true;
	if (by_build_id(s, o) || below_root(s, o) || by_name(s, o))
		return true;
	return kernel && kallsyms_of(s, o);
}

const struct cp_symbolizer cp_symbolizer_symdirs = {
	.name = "symbols",
	.source = CP_SOURCE_BUNDLE,
	.open = symdirs_open,
};
