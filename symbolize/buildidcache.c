/* SPDX-License-Identifier: MIT */
/*
 * perf's cache of objects by build ID: .build-id/ab/cdef... leads to a folder
 * that holds "elf", "debug", "vdso" or "kallsyms"; in very old caches it is
 * the file itself.
 */
#include "base/buf.h"
#include "symbolize/chain.h"

#define MAX_PATH 4096

/* The path of a file in the cache; the caller frees it. */
static char *
cache_path(const struct cp_symbols *s, const struct cp_dso *d, size_t id_size,
    const char *file)
{
	struct cp_buf b;

	cp_buf_init(&b, MAX_PATH);
	cp_buf_printf(&b, "%s/.build-id/%02x/", s->cache_dir, d->build_id[0]);
	for (size_t i = 1; i < id_size; i++)
		cp_buf_printf(&b, "%02x", d->build_id[i]);
	cp_buf_str(&b, file);
	if (b.full) {
		cp_buf_free(&b);
		return NULL;
	}
	return b.data;
}

static int
cache_open(const struct cp_symbols *s, const struct cp_dso *d, size_t id_size,
    const char *file)
{
	CP_CLEANUP(cp_cleanup_free)
	char *path = cache_path(s, d, id_size, file);

	return path != NULL ? cp_objfile_open(path) : -1;
}

/*
 * Folders are named by the true size of the ID; recorded ones are padded.
 * The next size to try after `last`, 0 to begin with; 0 when there is none.
 */
static size_t
next_size(const struct cp_dso *d, size_t last)
{
	static const uint8_t sizes[] = { 20, 16, 8 };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		size_t size = CP_MIN(sizes[i], d->build_id_size);

		if (last == 0 || size < last)
			return size;
	}
	return 0;
}

static bool
load_sized(const struct cp_symbols *s, struct cp_object *o, size_t id_size)
{
	const struct cp_dso *d = &o->dso->pub;
	const char *first = d->kind == CP_DSO_VDSO ? "/vdso" : "/elf";
	CP_CLEANUP(cp_cleanup_free)
	char *path = cache_path(s, d, id_size, first);
	int elf, debug;

	if (path == NULL)
		return false;
	elf = cp_objfile_open(path);
	debug = cache_open(s, d, id_size, "/debug");
	if (elf < 0)
		elf = cache_open(s, d, id_size, "");
	return (elf >= 0 || debug >= 0) &&
	       cp_object_load_pair(o, s, elf, debug, path);
}

static bool
load_elf(const struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;
	size_t size = 0;

	while ((size = next_size(d, size)) != 0)
		if (load_sized(s, o, size))
			return true;
	return false;
}

static bool
load_kallsyms(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);
	size_t size = 0;
	bool found = false;

	while (k != NULL && !found && (size = next_size(&k->pub, size)) != 0) {
		char *path = cache_path(s, &k->pub, size, "/kallsyms");

		found = path != NULL && cp_object_load_kallsyms(o, s, path);
		free(path);
	}
	if (found)
		o->trust = CP_TRUST_VERIFIED;
	return found;
}

static bool
buildidcache_open(struct cp_symbols *s, struct cp_object *o)
{
	uint8_t kind = o->dso->pub.kind;

	if (s->cache_dir[0] == '\0' || kind == CP_DSO_BPF ||
	    kind == CP_DSO_ANON)
		return false;
	/* Modules: the run-time addresses are those of kallsyms. */
	if (kind == CP_DSO_MODULE && load_kallsyms(s, o))
		return true;
	return load_elf(s, o) || (kind == CP_DSO_KERNEL && load_kallsyms(s, o));
}

const struct cp_symbolizer cp_symbolizer_buildidcache = {
	.name = "buildid-cache",
	.source = CP_SOURCE_CACHE,
	.open = buildidcache_open,
};
