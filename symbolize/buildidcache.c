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
	CP_CLEANUP(cp_cleanup_free) char *path =
	    cache_path(s, d, id_size, file);

	return path != NULL ? cp_objfile_open(path) : -1;
}

static bool
load_elf(const struct cp_symbols *s, struct cp_object *o, size_t id_size)
{
	const struct cp_dso *d = &o->dso->pub;
	const char *first = d->kind == CP_DSO_VDSO ? "/vdso" : "/elf";
	CP_CLEANUP(cp_cleanup_free) char *path =
	    cache_path(s, d, id_size, first);
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
load_kallsyms(struct cp_symbols *s, struct cp_object *o, size_t id_size)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);
	CP_CLEANUP(cp_cleanup_free) char *path = NULL;

	if (k == NULL || k->pub.build_id_size == 0)
		return false;
	id_size = CP_MIN(id_size, k->pub.build_id_size);
	path = cache_path(s, &k->pub, id_size, "/kallsyms");
	if (path == NULL || !cp_object_load_kallsyms(o, s, path))
		return false;
	o->trust = CP_TRUST_VERIFIED;
	return true;
}

static bool
load(struct cp_symbols *s, struct cp_object *o, size_t id_size)
{
	/* Modules: the run-time addresses are those of kallsyms. */
	if (o->dso->pub.kind == CP_DSO_MODULE &&
	    load_kallsyms(s, o, id_size))
		return true;
	if (o->dso->pub.build_id_size != 0 && load_elf(s, o, id_size))
		return true;
	return o->dso->pub.kind == CP_DSO_KERNEL &&
	    load_kallsyms(s, o, id_size);
}

static bool
buildidcache_open(struct cp_symbols *s, struct cp_object *o)
{
	/* The folder is named by the true size; the recorded is padded. */
	static const uint8_t sizes[] = { 20, 16, 8 };
	const struct cp_dso *d = &o->dso->pub;
	size_t last = 0;

	if (s->cache_dir[0] == '\0' || d->kind == CP_DSO_BPF ||
	    d->kind == CP_DSO_ANON)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		size_t size = CP_MIN(sizes[i],
		    d->build_id_size != 0 ? d->build_id_size : 20);

		if (size != last && load(s, o, size))
			return true;
		last = size;
	}
	return false;
}

const struct cp_symbolizer cp_symbolizer_buildidcache = {
	.name = "buildid-cache",
	.source = CP_SOURCE_CACHE,
	.open = buildidcache_open,
};
