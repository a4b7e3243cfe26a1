/* SPDX-License-Identifier: MIT */
/*
 * Verifies files for an object.  A file with the right build ID is kept if it
 * has code, symbols or debug information that no earlier file had.
 */
#include "symbolize/object/verify.h"

#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "base/retry.h"
#include "base/strings.h"

static void
hex_of(char out[41], const uint8_t *id, size_t size)
{
	cp_hex_of(out, id, CP_MIN(size, 20));
}

/* The required ID: the recorded one, else the first file's. */
static const uint8_t *
wanted_id(const struct cp_object *o, size_t *size)
{
	const struct cp_dso *d = &o->dso->pub;

	*size = d->build_id_size;
	if (*size != 0)
		return d->build_id;
	for (size_t i = 0; i < o->files.len; i++) {
		const struct cp_elf *elf = &o->files.data[i]->elf;

		*size = elf->build_id_size;
		if (*size != 0)
			return elf->build_id;
	}
	return NULL;
}

static uint64_t
up(uint64_t n, uint64_t page)
{
	return (n + page - 1) & -page;
}

/* True if the loader could have mapped the segment to [from, to). */
static bool
segment_fits(const struct cp_elf_segment *l, uint64_t from, uint64_t to)
{
	uint64_t end = l->offset + l->file_size;

	if (from == (l->offset & -(uint64_t)4096))
		return to == up(end, 4096) || to == up(end, 16384) ||
		       to == up(end, 65536);
	return from >= (l->offset & -(uint64_t)65536) && to <= up(end, 65536);
}

/*
 * The loader first maps a file's whole extent with its first segment, then maps
 * the others over it.
 */
static bool
whole_fits(const struct cp_elf *elf, uint64_t from, uint64_t size)
{
	const struct cp_elf_segment *first = &elf->loads.data[0];
	uint64_t end = 0, span;

	for (size_t i = 0; i < elf->loads.len; i++)
		end = CP_MAX(
		    end, elf->loads.data[i].vaddr + elf->loads.data[i].size);
	span = end - (first->vaddr & -(uint64_t)4096);
	return first->exec && !first->hollow &&
	       from == (first->offset & -(uint64_t)4096) &&
	       (size == up(span, 4096) || size == up(span, 16384) ||
		   size == up(span, 65536));
}

/* For files without a build ID: requires code in the mapped range. */
static bool
layout_fits(const struct cp_object *o, const struct cp_elf *elf)
{
	const struct cp_dso_info *d = o->dso;
	bool known = false;

	if (d->pub.kind != CP_DSO_FILE || d->map_size == 0)
		return true;
	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		known |= l->exec && !l->hollow;
		if (l->exec && !l->hollow &&
		    segment_fits(l, d->map_offset, d->map_offset + d->map_size))
			return true;
	}
	return !known || whole_fits(elf, d->map_offset, d->map_size);
}

static bool
verify(struct cp_object *o, struct cp_file *f)
{
	const struct cp_elf *elf = &f->elf;
	size_t size;
	const uint8_t *id = wanted_id(o, &size);
	char want[41], got[41];

	f->trust = CP_TRUST_ABSENT;
	if (elf->build_id_size == 0 || id == NULL) {
		if (layout_fits(o, elf))
			return !o->verified_only;
		cp_object_note(o, CP_D_MISMATCH,
		    "no build ID, and it was mapped otherwise: %s", f->path);
		o->mismatch = true;
		return false;
	}
	if (cp_build_id_equal(elf->build_id, elf->build_id_size, id, size)) {
		if (o->dso->pub.build_id_size != 0)
			f->trust = CP_TRUST_VERIFIED;
		return true;
	}
	hex_of(want, id, size);
	hex_of(got, elf->build_id, elf->build_id_size);
	cp_object_note(
	    o, CP_D_MISMATCH, "recorded %s, file %s: %s", want, got, f->path);
	o->mismatch = true;
	return false;
}

static uint8_t
debug_of(const struct cp_elf_section *s)
{
	const char *name = s->name;

	if (strncmp(name, ".debug_", 7) == 0)
		name += 7;
	else if (strncmp(name, ".zdebug_", 8) == 0)
		name += 8;
	else
		return 0;
	if (s->type == SHT_NOBITS)
		return 0;
	if (strcmp(name, "info") == 0)
		return 2;
	return strcmp(name, "line") == 0 || strcmp(name, "frame") == 0;
}

/* A debug file has the code sections, but no bytes for them. */
static void
classify(struct cp_file *f)
{
	bool full = false, hollow = false;

	for (size_t i = 1; i < f->elf.sections.len; i++) {
		const struct cp_elf_section *s = &f->elf.sections.data[i];

		if ((s->flags & SHF_EXECINSTR) != 0 && s->size != 0) {
			full |= s->type != SHT_NOBITS;
			hollow |= s->type == SHT_NOBITS;
		}
		f->symtab |= s->type == SHT_SYMTAB;
		f->debug = CP_MAX(f->debug, debug_of(s));
	}
	f->code = full || !hollow;
	f->layout = f->code || cp_elf_restore_offsets(&f->elf);
}

static bool
use_file(struct cp_object *o, struct cp_file *f)
{
	bool used = false;

	if (f->code && o->runtime == NULL) {
		o->runtime = f;
		used = true;
	}
	if (f->symtab && o->symbols == NULL) {
		o->symbols = f;
		used = true;
	}
	if (f->debug > (o->debug != NULL ? o->debug->debug : 0)) {
		o->debug = f;
		used = true;
	}
	return used;
}

static bool
add_file(struct cp_object *o, struct cp_file *f)
{
	f->path = cp_arena_strndup(&o->arena, f->path, strlen(f->path));
	*cp_vec_push(&o->files) = f;
	o->found++;
	return true;
}

/* Keeps the first wrong file of each kind, in case no right one is found. */
static bool
keep_wrong(struct cp_object *o, struct cp_file *f)
{
	struct cp_file **slot = f->code ? &o->wrong_code : &o->wrong_debug;

	if (!o->allow_mismatch || *slot != NULL)
		return false;
	f->path = cp_arena_strndup(&o->arena, f->path, strlen(f->path));
	f->trust = CP_TRUST_MISMATCH;
	*slot = f;
	return true;
}

/* Kernels are copied in part: what ends early is no damage. */
static void
look_for_damage(struct cp_object *o, const struct cp_file *f)
{
	const char *why = cp_elf_damage(&f->elf);

	if (why != NULL && (!f->elf.cut || o->dso->pub.kind == CP_DSO_FILE))
		cp_object_damaged(o, f->path, why);
}

static bool
offer(struct cp_object *o, const struct cp_symbolizer *by, struct cp_elf *elf,
    const char *path)
{
	struct cp_file *f = cp_xcalloc(1, sizeof(*f));

	f->elf = *elf;
	f->path = path;
	f->by = by;
	classify(f);
	if (!verify(o, f)) {
		if (keep_wrong(o, f))
			return false;
	} else {
		look_for_damage(o, f);
		if (use_file(o, f))
			return add_file(o, f);
	}
	cp_elf_free(&f->elf);
	free(f);
	return false;
}

void
cp_object_use_wrong(struct cp_object *o)
{
	struct cp_file *wrong[] = { o->wrong_code, o->wrong_debug };

	o->wrong_code = o->wrong_debug = NULL;
	for (size_t i = 0; i < CP_ARRAY_LEN(wrong); i++) {
		struct cp_file *f = wrong[i];

		if (f == NULL)
			continue;
		/* Two wrong files must at least be of the same build. */
		if (o->runtime == NULL && o->symbols == NULL &&
		    use_file(o, f)) {
			add_file(o, f);
			continue;
		}
		cp_elf_free(&f->elf);
		free(f);
	}
}

static bool
is_elf(int fd)
{
	char magic[SELFMAG];

	return cp_pread(fd, magic, SELFMAG, 0) == SELFMAG &&
	       memcmp(magic, ELFMAG, SELFMAG) == 0;
}

bool
cp_object_offer(struct cp_object *o, const struct cp_symbolizer *by, int fd,
    const char *path)
{
	struct cp_elf elf;
	bool is;

	if (fd < 0)
		return false;
	is = is_elf(fd);
	if (cp_elf_open(&elf, fd))
		return offer(o, by, &elf, path);
	/* Data is mapped from files of any kind. */
	if (is || o->dso->pub.runs)
		cp_object_damaged(o, path, is ? NULL : "it is no ELF file");
	return false;
}

int
cp_object_opened(struct cp_object *o, int fd, const char *path)
{
	if (fd >= 0 || !cp_objfile_was_refused(errno))
		return fd;
	cp_object_note(o, CP_D_NOT_OPENED, "%s: %s", path,
	    errno == EREMOTE ? "not on this machine; --symbols takes it"
			     : strerror(errno));
	return -1;
}

bool
cp_object_offer_path(
    struct cp_object *o, const struct cp_symbolizer *by, const char *path)
{
	return cp_object_offer(
	    o, by, cp_object_opened(o, cp_objfile_open(path), path), path);
}

bool
cp_object_offer_image(struct cp_object *o, const struct cp_symbolizer *by,
    struct cp_content image, const char *name)
{
	struct cp_elf elf;

	if (cp_elf_init(&elf, image))
		return offer(o, by, &elf, name);
	cp_object_damaged(o, name, NULL);
	return false;
}
