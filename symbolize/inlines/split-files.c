/* SPDX-License-Identifier: MIT */
/*
 * Finds files of split debug information: .dwo files at the path where the
 * compiler wrote them, packages (.dwp) next to the program or its debug file;
 * both also below a folder of --symbols as root, or by base name in the index.
 *
 * The reader compares unit ids to reject wrong files.
 */
#include "base/buf.h"
#include "base/strings.h"
#include "symbolize/file-index/index.h"
#include "symbolize/file-index/content.h"
#include "symbolize/file-index/lookup.h"
#include "symbolize/inlines/split-files.h"
#include "symbolize/object/files.h"

#define MAX_PATH 4200

/* Counts down to the requested candidate. */
static bool
is_next(unsigned *n)
{
	return (*n)-- == 0;
}

static bool
from_disk(const char *path, unsigned *n, struct cp_elf *out)
{
	struct cp_elf elf;

	if (!cp_elf_open(&elf, cp_objfile_open_recorded(path)))
		return false;
	if (is_next(n)) {
		*out = elf;
		return true;
	}
	cp_elf_free(&elf);
	return false;
}

static bool
below_roots(
    struct cp_symbols *s, const char *path, unsigned *n, struct cp_elf *out)
{
	for (size_t i = 0; i < s->index.roots.len && path[0] == '/'; i++) {
		int fd = cp_objfile_open_under(s->index.roots.data[i], path);
		struct cp_elf elf;

		if (fd < 0 || !cp_elf_open(&elf, fd))
			continue;
		if (is_next(n)) {
			*out = elf;
			return true;
		}
		cp_elf_free(&elf);
	}
	return false;
}

/* The last places: files in the index by base name. */
static bool
indexed(struct cp_symbols *s, const char *path, unsigned *n, struct cp_elf *out)
{
	const char *name = cp_basename(path);
	const struct cp_indexed *f = cp_symindex_named(&s->index, name);
	struct cp_content c;

	for (; f != NULL; f = cp_symindex_named_next(&s->index, f, name))
		if (is_next(n))
			return cp_symindex_content(&s->index, f, &c) &&
			       cp_elf_init(out, c);
	return false;
}

static bool
given(struct cp_symbols *s, const char *path, unsigned *n, struct cp_elf *out)
{
	if (s->index.places.len == 0)
		return false;
	cp_symindex_ready(&s->index);
	return below_roots(s, path, n, out) || indexed(s, path, n, out);
}

bool
cp_split_dwo(struct cp_symbols *s, const char *path, unsigned n,
    struct cp_elf *out, bool *foreign)
{
	if (s->opt.recorded_paths && from_disk(path, &n, out)) {
		*foreign |= !out->content.from.ours;
		return true;
	}
	return given(s, path, &n, out) && (*foreign = true);
}

/* Looks for FILE.dwp, with FILE as the user knows it. */
static bool
package_of(struct cp_symbols *s, const char *file, bool disk, unsigned *n,
    struct cp_elf *out, bool *foreign)
{
	char path[MAX_PATH];

	if (file == NULL ||
	    snprintf(path, sizeof(path), "%s.dwp", file) >= MAX_PATH)
		return false;
	if (disk && from_disk(path, n, out)) {
		*foreign |= !out->content.from.ours;
		return true;
	}
	return given(s, path, n, out) && (*foreign = true);
}

bool
cp_split_dwp(struct cp_symbols *s, struct cp_object *o,
    const struct cp_elf *debug, unsigned n, struct cp_elf *out, bool *foreign)
{
	const char *file = cp_symbols_path_of(s, o->dso, debug);

	/* A bundle's member has no path on disk. */
	if (file != NULL &&
	    package_of(
		s, file, !cp_text_file_is_member(s, file), &n, out, foreign))
		return true;
	return package_of(
	    s, cp_object_name(s, o), s->opt.recorded_paths, &n, out, foreign);
}
