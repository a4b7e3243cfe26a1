/* SPDX-License-Identifier: MIT */
/*
 * Separate debug files on this machine: by build ID below /usr/lib/debug and
 * the folders of $NIX_DEBUG_INFO_DIRS, or by .gnu_debuglink next to the
 * stripped file.
 *
 * A file found by debug link must have the right CRC, or else the build ID or
 * the sections of the stripped file.
 */
#include <lzma.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/elf.h"
#include "symbolize/file-index/content.h"
#include "symbolize/file-index/lookup.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define MAX_PATH 4096

/*
 * The folders with debug files by build ID: the usual one, then those of Nix.
 * *at: where the next ones begin; NULL at first, "" at the end.
 */
static bool
next_root(const char **at, const char **root, size_t *n)
{
	const char *nix = getenv("NIX_DEBUG_INFO_DIRS");

	if (*at == NULL) {
		*root = DEBUG_ROOT;
		*n = strlen(DEBUG_ROOT);
		*at = nix != NULL ? nix : "";
		return true;
	}
	*at += strspn(*at, ":");
	*root = *at;
	*n = strcspn(*at, ":");
	*at += *n;
	return *n != 0;
}

static void
id_path(struct cp_buf *b, const char *root, size_t n, const uint8_t *id,
    size_t size)
{
	cp_buf_init(b, MAX_PATH);
	cp_buf_add(b, root, n);
	cp_buf_str(b, "/.build-id/");
	cp_buf_hex_of(b, id, 1);
	cp_buf_char(b, '/');
	cp_buf_hex_of(b, id + 1, size - 1);
	cp_buf_str(b, ".debug");
}

static bool
debugfile_find_id(struct cp_symbols *s, const uint8_t *id, size_t size,
    struct cp_content *out)
{
	const char *at = NULL, *root;
	struct cp_buf b;
	bool found = false;
	size_t n;

	if (size < 2 || !s->opt.recorded_paths)
		return false;
	while (!found && next_root(&at, &root, &n)) {
		id_path(&b, root, n, id, size);
		found = !b.full &&
			cp_objfile_take(cp_objfile_open(cp_buf_text(&b)), out);
		cp_buf_free(&b);
	}
	return found;
}

static void
by_build_id(struct cp_symbols *s, struct cp_object *o)
{
	const uint8_t *id = o->dso->pub.build_id;
	size_t size = o->dso->pub.build_id_size;
	const char *at = NULL, *root;
	unsigned had = o->found;
	struct cp_buf b;
	size_t n;

	/* The mapped file's own ID has no padding. */
	if (o->runtime != NULL && o->runtime->elf.build_id_size != 0) {
		id = o->runtime->elf.build_id;
		size = o->runtime->elf.build_id_size;
	}
	if (size < 2 || !s->opt.recorded_paths)
		return;
	while (o->found == had && next_root(&at, &root, &n)) {
		id_path(&b, root, n, id, size);
		if (!b.full)
			cp_object_offer_path(
			    o, &cp_symbolizer_debug_file, cp_buf_text(&b));
		cp_buf_free(&b);
	}
}

/* Offers a file that a debug link names, which may have been edited since. */
static bool
offer_linked(struct cp_object *o, struct cp_content c, uint32_t crc,
    const struct cp_symbolizer *by, const char *path)
{
	bool taken;

	o->link =
	    lzma_crc32(c.data, c.size, 0) == crc ? CP_LINK_CRC : CP_LINK_NAME;
	taken = cp_object_offer_image(o, by, c, path);
	o->link = CP_LINK_NONE;
	return taken;
}

struct link {
	const char *name;
	uint32_t crc;
};

static bool
read_link(const struct cp_elf *elf, struct link *l)
{
	struct cp_bytes b =
	    cp_elf_bytes(elf, cp_elf_section(elf, ".gnu_debuglink"));
	const uint8_t *start = b.at;
	size_t pad;

	l->name = cp_bytes_str(&b);
	pad = (size_t)(start - b.at) % 4;
	cp_bytes_take(&b, pad);
	l->crc = cp_bytes_u32(&b);
	return !b.failed && l->name[0] != '\0' && strchr(l->name, '/') == NULL;
}

/* Tries the folder of path, between `before` and `after`. */
static bool
try_link(struct cp_object *o, const struct link *l, const char *before,
    const char *path, const char *after)
{
	const char *slash = strrchr(path, '/');
	struct cp_buf b;
	struct cp_content c;
	bool taken = false;
	int fd;

	if (slash == NULL)
		return false;
	cp_buf_init(&b, MAX_PATH);
	cp_buf_str(&b, before);
	cp_buf_add(&b, path, (size_t)(slash - path));
	cp_buf_str(&b, after);
	cp_buf_str(&b, l->name);
	fd = b.full ? -1 : cp_objfile_open_recorded(cp_buf_text(&b));
	if (!b.full)
		fd = cp_object_opened(o, fd, cp_buf_text(&b));
	if (cp_objfile_take(fd, &c))
		taken = offer_linked(
		    o, c, l->crc, &cp_symbolizer_debug_file, cp_buf_text(&b));
	cp_buf_free(&b);
	return taken;
}

/* Files of --symbols that have the link's name, wherever they lie. */
static bool
try_index(struct cp_symbols *s, struct cp_object *o, const struct link *l)
{
	const struct cp_indexed *f = cp_symindex_named(&s->index, l->name);
	struct cp_content c;

	for (; f != NULL; f = cp_symindex_named_next(&s->index, f, l->name))
		if (cp_indexed_is_elf(f) &&
		    cp_symindex_content(&s->index, f, &c) &&
		    offer_linked(
			o, c, l->crc, &cp_symbolizer_symbol_path, f->path))
			return true;
	return false;
}

static void
by_link(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = o->name;
	const char *path = o->runtime->path;
	struct link l;

	if (!read_link(&o->runtime->elf, &l) || try_index(s, o, &l) ||
	    try_link(o, &l, "", path, "/") ||
	    try_link(o, &l, "", path, "/.debug/") || !s->opt.recorded_paths)
		return;
	if (!try_link(o, &l, DEBUG_ROOT, path, "/") && name[0] == '/')
		try_link(o, &l, DEBUG_ROOT, name, "/");
}

static void
debugfile_find(struct cp_symbols *s, struct cp_object *o)
{
	unsigned had = o->found;
	uint8_t kind = o->dso->pub.kind;

	if (kind == CP_DSO_BPF || kind == CP_DSO_ANON)
		return;
	by_build_id(s, o);
	if (o->found == had && o->runtime != NULL)
		by_link(s, o);
}

const struct cp_symbolizer cp_symbolizer_debug_file = {
	.name = "debug-file",
	.source = CP_SOURCE_LOCAL,
	.find = debugfile_find,
	.find_id = debugfile_find_id,
};
