/* SPDX-License-Identifier: MIT */
#include "symbolize/object/alt.h"

#include "base/buf.h"
#include "base/safe-file.h"
#include "symbolize/object/ask.h"

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
fetch_alt(struct cp_symbols *s, struct cp_object *o, const struct alt_link *l)
{
	struct cp_content c;

	for (size_t i = 0; i < s->n_symbolizers && o->alt == NULL; i++) {
		const struct cp_symbolizer *p = s->symbolizers[i];

		if (p->fetch_id != NULL &&
		    p->fetch_id(s, o, l->id, l->size, &c))
			keep_alt(o, p, l, c);
	}
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
		fetch_alt(s, o, &l);
	if (o->alt == NULL)
		cp_object_note(o, CP_D_NO_OBJECT,
		    "%.200s, where dwz put names of %.200s", l.name,
		    cp_object_name(s, o));
}

/* With the object's lock held. */
static void
look_for_alt(struct cp_symbols *s, struct cp_object *o)
{
	cp_object_find(s, o, CP_ASK_DEBUG);
	if (o->alt == NULL && !o->alt_tried)
		find_alt(s, o);
	o->alt_tried = true;
}

const struct cp_elf *
cp_symbols_alt(struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_object_of(s, d);
	const struct cp_file *f;

	pthread_mutex_lock(&o->lock);
	look_for_alt(s, o);
	f = o->alt;
	pthread_mutex_unlock(&o->lock);
	return f != NULL ? &f->elf : NULL;
}

size_t
cp_symbols_missing_alt(
    struct cp_symbols *s, const struct cp_dso_info *d, uint8_t id[20])
{
	struct cp_object *o = cp_object_of(s, d);
	struct alt_link l = { .size = 0 };

	pthread_mutex_lock(&o->lock);
	look_for_alt(s, o);
	if (o->alt != NULL || o->debug == NULL ||
	    !read_link(&o->debug->elf, &l))
		l.size = 0;
	if (l.size != 0)
		memcpy(id, l.id, l.size);
	pthread_mutex_unlock(&o->lock);
	return l.size;
}

static bool
is_found(struct cp_symbols *s, const struct alt_link *l)
{
	struct cp_content c;
	bool found = false;

	for (size_t i = 0; i < s->n_symbolizers && !found; i++)
		found = s->symbolizers[i]->find_id != NULL &&
			s->symbolizers[i]->find_id(s, l->id, l->size, &c);
	if (found)
		cp_content_free(&c);
	return found;
}

size_t
cp_symbols_missing_alt_of(
    struct cp_symbols *s, const char *path, uint8_t id[20])
{
	struct alt_link l = { .size = 0 };
	struct cp_elf elf;
	bool missing;

	if (!cp_elf_open(&elf, cp_objfile_open(path)))
		return 0;
	missing = read_link(&elf, &l) && !is_found(s, &l);
	if (missing)
		memcpy(id, l.id, l.size);
	cp_elf_free(&elf);
	return missing ? l.size : 0;
}
