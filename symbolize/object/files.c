/* SPDX-License-Identifier: MIT */
#include "symbolize/object/files.h"

#include <elf.h>
#include <unistd.h>

#include "base/buf.h"
#include "symbolize/golang/pclntab.h"
#include "symbolize/object/ask.h"
#include "symbolize/object/elf-symbols.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/snapshot.h"

const struct cp_elf *
cp_symbols_runtime(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_file *f;

	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_CODE);
	f = o->runtime;
	pthread_mutex_unlock(&o->lock);
	return f != NULL ? &f->elf : NULL;
}

const struct cp_elf *
cp_symbols_debug(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_file *f;

	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_DEBUG);
	f = o->debug;
	pthread_mutex_unlock(&o->lock);
	return f != NULL ? &f->elf : NULL;
}

const struct cp_elf *
cp_symbols_tables(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_file *f;

	pthread_mutex_lock(&o->lock);
	cp_object_find_tables(s, o);
	f = o->debug;
	pthread_mutex_unlock(&o->lock);
	return f != NULL ? &f->elf : NULL;
}

const struct cp_gotab *
cp_symbols_gotab(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_gotab *t;

	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_CODE);
	t = cp_object_gotab(o);
	pthread_mutex_unlock(&o->lock);
	return t;
}

struct cp_lacks
cp_symbols_lack(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	struct cp_lacks l;

	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_CODE | CP_ASK_SYMTAB);
	l = (struct cp_lacks){ o->runtime == NULL, o->symbols == NULL,
		o->debug == NULL || o->debug->debug != 2 };
	pthread_mutex_unlock(&o->lock);
	return l;
}

/* ------------------------------------------------------- what dwz moved */

struct alt_link {
	const char *name;
	const uint8_t *id;
	size_t size;
};

static bool
read_link(const struct cp_elf *elf, struct alt_link *l)
{
	struct cp_bytes b =
	    cp_elf_bytes(elf, cp_elf_section(elf, ".gnu_debugaltlink"));

	l->name = cp_bytes_str(&b);
	l->size = cp_bytes_left(&b);
	l->id = b.at;
	return l->name != NULL && l->size >= 2 && l->size <= 20;
}

/* Keeps the file if its build ID is the linked one. */
static bool
keep_alt(struct cp_object *o, const struct cp_symbolizer *by,
    const struct alt_link *l, struct cp_content content)
{
	struct cp_file *f;
	struct cp_elf elf;

	if (!cp_elf_init(&elf, content))
		return false;
	if (!cp_build_id_equal(
		elf.build_id, elf.build_id_size, l->id, l->size)) {
		cp_elf_free(&elf);
		return false;
	}
	f = cp_xcalloc(1, sizeof(*f));
	*f = (struct cp_file){
		.elf = elf, .path = l->name, .by = by, .trust = o->debug->trust
	};
	*cp_vec_push(&o->files) = f;
	o->alt = f;
	return true;
}

/* The path that dwz wrote; a relative one begins where the file lies. */
static int
open_alt(const struct cp_symbols *s, const char *outer, const char *name)
{
	const char *slash = strrchr(outer, '/');
	struct cp_buf path;
	int fd;

	if (name[0] == '/')
		return s->opt.recorded_paths ? cp_objfile_open_recorded(name)
					     : -1;
	cp_buf_init(&path, 4096);
	if (slash != NULL)
		cp_buf_add(&path, outer, (size_t)(slash - outer) + 1);
	cp_buf_str(&path, name);
	fd = cp_objfile_open_recorded(cp_buf_text(&path));
	cp_buf_free(&path);
	return fd;
}

static void
find_alt(struct cp_symbols *s, struct cp_object *o)
{
	struct cp_content c;
	struct alt_link l;
	int fd;

	if (o->debug == NULL || !read_link(&o->debug->elf, &l))
		return;
	for (size_t i = 0; i < s->n_symbolizers; i++) {
		const struct cp_symbolizer *p = s->symbolizers[i];

		if (p->find_id != NULL && p->find_id(s, l.id, l.size, &c) &&
		    keep_alt(o, p, &l, c))
			return;
	}
	fd = open_alt(s, o->debug->path, l.name);
	if (cp_objfile_take(fd, &c))
		keep_alt(o, o->debug->by, &l, c);
	if (o->alt == NULL)
		cp_object_note(o, CP_D_NO_OBJECT,
		    "%.200s, where dwz put names of %.200s", l.name,
		    cp_object_name(s, o));
}

const struct cp_elf *
cp_symbols_alt(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_file *f;

	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_DEBUG);
	if (o->alt == NULL && !o->alt_tried)
		find_alt(s, o);
	o->alt_tried = true;
	f = o->alt;
	pthread_mutex_unlock(&o->lock);
	return f != NULL ? &f->elf : NULL;
}

const char *
cp_symbols_path_of(
    struct cp_symbols *s, const struct cp_dso_info *d, const struct cp_elf *elf)
{
	struct cp_object *o = cp_object_of(s, d);
	const char *path = NULL;

	pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < o->files.len && path == NULL; i++)
		if (&o->files.data[i]->elf == elf)
			path = o->files.data[i]->path;
	pthread_mutex_unlock(&o->lock);
	return path;
}

size_t
cp_symbols_found(struct cp_symbols *s, const struct cp_dso_info *d,
    struct cp_found *out, size_t max)
{
	struct cp_object *o = cp_object_of(s, d);
	size_t n = 0;

	const struct cp_gotab *go;

	cp_symbols_alt(s, d);
	pthread_mutex_lock(&o->lock);
	cp_object_find(s, o, CP_ASK_CODE | CP_ASK_SYMTAB | CP_ASK_DEBUG);
	go = cp_object_gotab(o);
	for (size_t i = 0; i < o->files.len && n < max; i++) {
		const struct cp_file *f = o->files.data[i];
		struct cp_found found = { .elf = &f->elf,
			.path = f->path,
			.runtime = f == o->runtime,
			.symbols = f == o->symbols,
			.debug = f == o->debug,
			.alt = f == o->alt,
			.trust = f->trust };

		found.names =
		    go != NULL && found.runtime && cp_gotab_covers(go);
		found.lines = found.names && go->calls != 0;

		if (found.runtime || found.symbols || found.debug || found.alt)
			out[n++] = found;
	}
	pthread_mutex_unlock(&o->lock);
	return n;
}

/* ------------------------------------------------------------ addresses */

/* Returns the file with the mapped load segments. */
static const struct cp_elf *
layout_of(struct cp_symbols *s, struct cp_object *o)
{
	cp_object_find(s, o, CP_ASK_CODE);
	if (o->runtime != NULL)
		return &o->runtime->elf;
	return o->debug != NULL && o->debug->layout ? &o->debug->elf : NULL;
}

const struct cp_elf *
cp_symbols_layout(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_elf *elf;

	pthread_mutex_lock(&o->lock);
	elf = layout_of(s, o);
	pthread_mutex_unlock(&o->lock);
	return elf;
}

bool
cp_symbols_vaddr(struct cp_symbols *s, const struct cp_dso_info *d,
    uint64_t addr, uint64_t *vaddr)
{
	struct cp_object *o = cp_object_of(s, d);
	size_t row = cp_object_recorded(s, o);
	const struct cp_elf *elf;
	bool known = false;

	if (row != 0)
		return cp_snapshot_vaddr(s->snapshot, row, addr, vaddr);
	pthread_mutex_lock(&o->lock);
	elf = layout_of(s, o);
	if (elf != NULL && d->pub.kind == CP_DSO_KERNEL) {
		*vaddr = addr - cp_object_slide(s, o, elf);
		known = true;
	} else if (elf != NULL && d->pub.kind == CP_DSO_MODULE) {
		*vaddr = addr;
		known = elf->type == ET_REL;
	} else if (elf != NULL) {
		known = cp_elf_vaddr(elf, addr, vaddr);
	}
	pthread_mutex_unlock(&o->lock);
	return known;
}

static bool
is_recorded(struct cp_symbols *s, struct cp_object *o)
{
	return cp_object_recorded(s, o) != 0;
}

static bool
has_code(struct cp_symbols *s, struct cp_object *o)
{
	if (!is_recorded(s, o))
		return o->runtime != NULL;
	return (cp_snapshot_object(s->snapshot, o->row)->found &
		   CP_PROFILE_CODE) != 0;
}

struct cp_object_state
cp_symbols_state(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);

	cp_object_open(s, o);
	cp_object_give_notes(s, o);
	if (o->by == NULL)
		return (struct cp_object_state){ .mismatch = o->mismatch,
			.damaged = o->damaged,
			.code = has_code(s, o),
			.stripped = o->stripped && o->stripped_told };
	return (struct cp_object_state){
		.symbolizer = o->by->name,
		.path = o->path,
		.source = o->source,
		.trust = o->trust,
		.mismatch = o->mismatch,
		.damaged = o->damaged,
		.code = has_code(s, o),
		.stripped = o->stripped && o->stripped_told,
	};
}

size_t
cp_symbols_count(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);

	cp_object_open(s, o);
	if (o->by == NULL)
		return 0;
	return is_recorded(s, o)
		   ? cp_snapshot_object(s->snapshot, o->row)->symbols
		   : cp_object_count(s, o);
}

const char *
cp_symbols_recorded_code(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);

	return is_recorded(s, o) && has_code(s, o) ? cp_object_name(s, o)
						   : NULL;
}
