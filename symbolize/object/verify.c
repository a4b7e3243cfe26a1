/* SPDX-License-Identifier: MIT */
/*
 * Keeps the files of an object.  A file that is judged to be the object's is
 * kept if it has code, symbols or debug information that no earlier file had.
 */
#include "symbolize/object/verify.h"

#include <errno.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/retry.h"
#include "symbolize/object/identity.h"

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

static void
add_file(struct cp_object *o, struct cp_file *f)
{
	f->path = cp_arena_strndup(&o->arena, f->path, strlen(f->path));
	*cp_vec_push(&o->files) = f;
	o->found++;
}

/* Keeps the first wrong file of each kind, in case no right one is found. */
static bool
keep_wrong(struct cp_object *o, struct cp_file *f)
{
	struct cp_file **slot = f->code ? &o->wrong_code : &o->wrong_debug;

	if (f->elsewhere && o->elsewhere == NULL)
		slot = &o->elsewhere;
	else if (!o->allow_mismatch)
		return false;
	if (*slot != NULL)
		return false;
	f->path = cp_arena_strndup(&o->arena, f->path, strlen(f->path));
	*slot = f;
	return true;
}

static void
drop(struct cp_file *f)
{
	if (f != NULL)
		cp_elf_free(&f->elf);
	free(f);
}

/*
 * Once the mapped file is found, which tells the layout, a file with the same
 * code elsewhere has its names.
 */
static void
use_elsewhere(struct cp_object *o)
{
	struct cp_file *f = o->elsewhere;

	if (f == NULL || o->runtime == NULL)
		return;
	o->elsewhere = NULL;
	f->code = false;
	cp_identity_judge(o, f);
	if (f->trust != CP_TRUST_MISMATCH && use_file(o, f))
		add_file(o, f);
	else
		drop(f);
}

static bool
offer(struct cp_object *o, const struct cp_symbolizer *by, struct cp_elf *elf,
    const char *path)
{
	struct cp_file *f = cp_xcalloc(1, sizeof(*f));

	f->elf = *elf;
	f->path = path;
	f->by = by;
	f->link = o->link;
	classify(f);
	cp_identity_judge(o, f);
	if (f->trust == CP_TRUST_MISMATCH) {
		if (keep_wrong(o, f))
			return false;
	} else {
		/* Kernels are copied in part: what ends early is no damage. */
		const char *why = cp_elf_damage(&f->elf);

		if (why != NULL &&
		    (!f->elf.cut || o->dso->pub.kind == CP_DSO_FILE))
			cp_object_damaged(o, f->path, why);
		if (use_file(o, f)) {
			add_file(o, f);
			use_elsewhere(o);
			return true;
		}
	}
	drop(f);
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
		drop(f);
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
