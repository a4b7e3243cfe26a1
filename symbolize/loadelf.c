/* SPDX-License-Identifier: MIT */
/*
 * From ELF files to the symbol table of an object: comparing build IDs,
 * choosing the tables, and the terms that the addresses are in.
 */
#include <elf.h>
#include <unistd.h>

#include "symbolize/chain.h"
#include "symbolize/elfsym.h"

static void
hex_of(char out[41], const uint8_t *id, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < CP_MIN(size, 20); i++)
		snprintf(out + 2 * i, 3, "%02x", id[i]);
}

bool
cp_object_verify(struct cp_object *o, const struct cp_symbols *s,
    const uint8_t *id, size_t size, const char *path, enum cp_trust *trust)
{
	const struct cp_dso *d = &o->dso->pub;
	char want[41], got[41];

	*trust = CP_TRUST_ABSENT;
	if (size == 0 || d->build_id_size == 0)
		return true;
	if (cp_build_id_equal(id, size, d->build_id, d->build_id_size)) {
		*trust = CP_TRUST_VERIFIED;
		return true;
	}
	hex_of(want, d->build_id, d->build_id_size);
	hex_of(got, id, size);
	cp_object_note(
	    o, CP_D_MISMATCH, "recorded %s, file %s: %s", want, got, path);
	o->mismatch = true;
	return false;
}

/* Verifies; the file belongs to the object from then on. */
static bool
adopt(struct cp_object *o, const struct cp_symbols *s, struct cp_elf *elf,
    const char *path, enum cp_trust *trust)
{
	if (!cp_object_verify(
		o, s, elf->build_id, elf->build_id_size, path, trust)) {
		cp_elf_free(elf);
		return false;
	}
	*cp_vec_push(&o->files) = *elf;
	return true;
}

static bool
add_file(struct cp_object *o, const struct cp_symbols *s, int fd,
    const char *path, enum cp_trust *trust)
{
	struct cp_elf elf;

	if (fd < 0)
		return false;
	if (!cp_elf_open(&elf, fd)) {
		cp_object_note(o, CP_D_BAD_ELF, "%s", path);
		return false;
	}
	return adopt(o, s, &elf, path, trust);
}

static bool
find_terms(const struct cp_object *o, const struct cp_symbols *s,
    const struct cp_elf *elf, struct cp_elf_view *v)
{
	const struct cp_dso_info *d = o->dso;
	const char *ref = cp_strings_get(s->strings, d->ref_name);
	uint64_t at;

	v->terms = CP_TERMS_OFFSET;
	if (d->pub.kind == CP_DSO_MODULE) {
		v->terms = CP_TERMS_MODULE;
		return elf->type == ET_REL;
	}
	if (d->pub.kind != CP_DSO_KERNEL)
		return true;
	v->terms = CP_TERMS_IMAGE;
	/* Without the symbol it was loaded where it was linked. */
	if (d->ref_addr != 0 && ref[0] != '\0' &&
	    cp_elf_symbol_value(elf, ref, &at))
		v->slide = d->ref_addr - at;
	return true;
}

static bool
has_symtab(const struct cp_elf *elf)
{
	return cp_elf_section_of_type(elf, SHT_SYMTAB) != NULL;
}

/* The file in a file; its symbols are in the terms of the outer one. */
static void
add_debugdata(struct cp_object *o, struct cp_elf_view *v)
{
	struct cp_elf inner;

	if (!cp_elf_open_debugdata(&inner, v->runtime))
		return;
	cp_elf_add_table(&o->tab, &inner, v, SHT_SYMTAB);
	*cp_vec_push(&o->files) = inner;
}

/* The last file of the object has the symbols, the first was mapped. */
static bool
load_files(struct cp_object *o, const struct cp_symbols *s)
{
	struct cp_elf *first = &o->files.data[0], run;
	struct cp_elf syms = o->files.data[o->files.len - 1];
	struct cp_elf_view v = { .runtime = &run };
	bool full;

	if (!cp_elf_restore_offsets(first))
		return false;
	run = *first;
	if (!find_terms(o, s, &syms, &v))
		return false;
	full = cp_elf_add_table(&o->tab, &syms, &v, SHT_SYMTAB);
	/* A kernel without .symtab names only what it exports. */
	if (!full && v.terms != CP_TERMS_OFFSET)
		return false;
	if (!full)
		add_debugdata(o, &v);
	cp_elf_add_table(&o->tab, &run, &v, SHT_DYNSYM);
	cp_elf_add_plt(&o->tab, &v);
	return o->tab.all.len != 0;
}

static void
drop_files(struct cp_object *o)
{
	for (size_t i = 0; i < o->files.len; i++)
		cp_elf_free(&o->files.data[i]);
	o->files.len = 0;
	cp_symtab_free(&o->tab);
}

static bool
finish(struct cp_object *o, const struct cp_symbols *s, bool ok,
    enum cp_trust trust, const char *path)
{
	if (!ok || !load_files(o, s)) {
		drop_files(o);
		return false;
	}
	o->trust = trust;
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	return true;
}

bool
cp_object_load_pair(struct cp_object *o, const struct cp_symbols *s,
    int runtime_fd, int debug_fd, const char *path)
{
	enum cp_trust trust = CP_TRUST_NONE, debug_trust;
	bool ok = add_file(o, s, runtime_fd, path, &trust);

	if (ok && debug_fd < 0 && s->opt.recorded_paths &&
	    !has_symtab(&o->files.data[0]))
		debug_fd = cp_debugfile_open(&o->files.data[0], path);
	if (add_file(o, s, debug_fd, path, &debug_trust) && !ok) {
		trust = debug_trust;
		ok = true;
	}
	if (ok && o->files.len > 1 && !has_symtab(&o->files.data[1]))
		cp_elf_free(&o->files.data[--o->files.len]);
	return finish(o, s, ok, trust, path);
}

bool
cp_object_load_image(struct cp_object *o, const struct cp_symbols *s,
    struct cp_content image, const char *name)
{
	enum cp_trust trust = CP_TRUST_NONE;
	struct cp_elf elf;
	bool ok = cp_elf_init(&elf, image) && adopt(o, s, &elf, name, &trust);

	return finish(o, s, ok, trust, name);
}

bool
cp_object_load_elf(
    struct cp_object *o, const struct cp_symbols *s, int fd, const char *path)
{
	return cp_object_load_pair(o, s, fd, -1, path);
}
