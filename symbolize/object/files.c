/* SPDX-License-Identifier: MIT */
#include "symbolize/object/alt.h"
#include "base/elf.h"
#include "symbolize/object/files.h"

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
			.why = o->mismatch ? o->why : NULL,
			.damaged = o->damaged,
			.code = has_code(s, o),
			.stripped = o->stripped && o->stripped_told };
	return (struct cp_object_state){
		.symbolizer = o->by->name,
		.path = o->path,
		.path_below = o->path_below,
		.source = o->source,
		.trust = o->trust,
		.why = o->why,
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
