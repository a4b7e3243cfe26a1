/* SPDX-License-Identifier: MIT */
/*
 * Chooses symbol tables, and how to convert their addresses.
 */
#include "symbolize/object/elf-symbols.h"

#include "base/elf.h"
#include "base/limits.h"
#include "base/tuning.h"
#include "symbolize/cfi/cfi.h"
#include "symbolize/cfi/fde-index.h"
#include "symbolize/elf/section-data.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/golang/pclntab.h"

static bool
find_terms(const struct cp_object *o, const struct cp_symbols *s,
    const struct cp_elf *elf, struct cp_elf_view *v)
{
	v->terms = CP_TERMS_OFFSET;
	if (o->dso->pub.kind == CP_DSO_MODULE) {
		v->terms = CP_TERMS_MODULE;
		return elf->type == ET_REL;
	}
	if (o->dso->pub.kind != CP_DSO_KERNEL)
		return true;
	v->terms = CP_TERMS_IMAGE;
	v->slide = cp_object_slide(s, o, elf);
	return true;
}

/* .gnu_debugdata: its symbols have the addresses of the outer file. */
static bool
choose_debugdata(struct cp_object *o, const struct cp_file *run,
    struct cp_elf_view *v, struct cp_elf_choice *c)
{
	struct cp_file *f = cp_xcalloc(1, sizeof(*f));

	if (!cp_elf_open_debugdata(&f->elf, v->runtime)) {
		if (cp_elf_has_data(v->runtime, ".gnu_debugdata") &&
		    cp_elf_limit(v->runtime) == NULL)
			cp_object_damaged(
			    o, run->path, ".gnu_debugdata cannot be read");
		free(f);
		return false;
	}
	f->path = "";
	cp_elf_choose(c, &f->elf, v, SHT_SYMTAB);
	*cp_vec_push(&o->files) = f;
	return true;
}

const struct cp_gotab *
cp_object_gotab(struct cp_object *o)
{
	struct cp_gotab t;

	if (o->go_tried || o->runtime == NULL ||
	    o->dso->pub.kind != CP_DSO_FILE)
		return o->go;
	o->go_tried = true;
	if (cp_gotab_init(&t, &o->runtime->elf)) {
		o->go = cp_xcalloc(1, sizeof(*o->go));
		*o->go = t;
	}
	return o->go;
}

/* Go's own table if the program is stripped, wholly or partly; else NULL. */
static const struct cp_gotab *
go_names(struct cp_object *o, const struct cp_elf_view *v, size_t symbols)
{
	const struct cp_gotab *go = cp_object_gotab(o);

	return go != NULL && v->runtime == go->elf && symbols < go->n ? go
								      : NULL;
}

/* Adds both tables, Go's names and PLT stubs. */
static void
add_tables(
    struct cp_object *o, struct cp_elf_view *v, struct cp_elf_choice c[2])
{
	const struct cp_gotab *go = go_names(o, v, c[0].n + c[1].n);

	for (size_t i = 0; i < 2; i++)
		cp_elf_add_choice(&o->tab, &c[i]);
	if (go != NULL)
		cp_gotab_add_names(&o->tab, go, v);
	cp_elf_add_plt(&o->tab, v);
}

struct part {
	uint64_t from, to;
};

struct parts {
	CP_VEC(struct part) all;
};

static int
by_start(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* The sections in memory, by address. */
static void
find_sections(struct parts *p, const struct cp_elf *elf)
{
	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *s = &elf->sections.data[i];

		if ((s->flags & SHF_ALLOC) != 0 && s->size != 0)
			*cp_vec_push(&p->all) =
			    (struct part){ s->addr, s->addr + s->size };
	}
	if (p->all.len != 0)
		qsort(p->all.data, p->all.len, sizeof(*p->all.data), by_start);
}

/* Where the section of an address ends; the address if it has none. */
static uint64_t
section_end(const struct parts *p, uint64_t at)
{
	size_t lo = 0, hi = p->all.len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->all.data[mid].from <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo != 0 ? CP_MAX(at, p->all.data[lo - 1].to) : at;
}

/*
 * A stripped or damaged file lacks names of functions.  A symbol of size 0,
 * whose end is the next name, would name all of them up to there.  The unwind
 * tables tell where the next function begins, and none goes on in another
 * section.
 */
static void
end_guessed(struct cp_object *o, const struct cp_elf *elf)
{
	struct parts sections = { 0 };
	struct cp_cfi cfi;

	cp_cfi_init(&cfi, NULL, elf);
	find_sections(&sections, elf);
	for (size_t i = 0; i < o->tab.all.len; i++) {
		struct cp_entry *y = &o->tab.all.data[i];
		struct cp_cfi_entry e;
		uint64_t at, room;

		if (!y->guessed || !cp_elf_vaddr(elf, y->start, &at))
			continue;
		room = section_end(&sections, at) - at;
		if (cp_cfi_table_entry(&cfi, at, &e) && e.alone)
			room = CP_MIN(room, e.to - at);
		y->end = CP_MIN(y->end, y->start + room);
	}
	cp_vec_free(&sections.all);
	cp_cfi_free(&cfi);
}

static bool
load_symbols(struct cp_symbols *s, struct cp_object *o,
    const struct cp_file *syms, const struct cp_file *run)
{
	struct cp_elf_view v = { .runtime = &run->elf };
	struct cp_elf_choice c[2] = { 0 };
	bool full, any;

	if (!run->layout || !find_terms(o, s, &syms->elf, &v))
		return false;
	full = cp_elf_choose(&c[0], &syms->elf, &v, SHT_SYMTAB);
	/* A kernel without .symtab has only its exported names. */
	if (!full && v.terms != CP_TERMS_OFFSET)
		return false;
	if (c[0].n > CP_NAMES_MANY)
		cp_sharing_much(&s->sharing);
	if (!full)
		full = choose_debugdata(o, run, &v, &c[0]);
	cp_elf_choose(&c[1], &run->elf, &v, SHT_DYNSYM);
	if (c[0].damaged)
		cp_object_damaged(
		    o, syms->path, "some of its symbols are zeros");
	any = c[0].n + c[1].n != 0;
	o->stripped = !full && !any && !o->damaged;
	add_tables(o, &v, c);
	if ((!full || o->damaged) && any && v.terms == CP_TERMS_OFFSET)
		end_guessed(o, v.runtime);
	return any || o->tab.all.len != 0;
}

/* The lower trust of two files that names come from. */
static enum cp_trust
lower_trust(enum cp_trust a, enum cp_trust b)
{
	return CP_MAX(a, b);
}

bool
cp_object_load_files(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_file *syms =
	    o->symbols != NULL ? o->symbols : o->runtime;
	const struct cp_file *run = o->runtime != NULL ? o->runtime : syms;

	if (!load_symbols(s, o, syms, run)) {
		cp_symtab_free(&o->tab);
		return false;
	}
	o->by = syms->by;
	o->path = syms->path;
	o->trust = lower_trust(syms->trust, run->trust);
	o->why = o->trust == run->trust ? run->why : syms->why;
	return true;
}
