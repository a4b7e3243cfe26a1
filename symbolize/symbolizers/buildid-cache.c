/* SPDX-License-Identifier: MIT */
/*
 * perf's build ID cache: .build-id/ab/cdef... is a link to a folder with "elf",
 * "debug", "vdso" or "kallsyms"; in very old caches it is the file itself.
 */
#include "base/buf.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

#define MAX_PATH 4096

/* Returns the malloc'ed path of a file in the cache. */
static char *
cache_path(const struct cp_symbols *s, const uint8_t *id, size_t id_size,
    const char *file)
{
	struct cp_buf b;

	cp_buf_init(&b, MAX_PATH);
	cp_buf_str(&b, s->cache_dir);
	cp_buf_str(&b, "/.build-id/");
	cp_buf_hex_of(&b, id, 1);
	cp_buf_char(&b, '/');
	cp_buf_hex_of(&b, id + 1, id_size - 1);
	cp_buf_str(&b, file);
	if (b.full) {
		cp_buf_free(&b);
		return NULL;
	}
	return b.data;
}

/*
 * Folders are named by the ID without padding, but a recorded ID may be padded
 * with zeros.  Returns the next size to try after `last` (0 at first); 0: no
 * more.
 */
static size_t
next_size(const struct cp_dso *d, size_t last)
{
	static const uint8_t sizes[] = { 20, 16, 8 };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		size_t size = CP_MIN(sizes[i], d->build_id_size);

		if ((last == 0 || size < last) &&
		    cp_is_zero(d->build_id + size, d->build_id_size - size))
			return size;
	}
	return 0;
}

static bool
usable(const struct cp_symbols *s, const struct cp_object *o)
{
	uint8_t kind = o->dso->pub.kind;

	return s->cache_dir[0] != '\0' && kind != CP_DSO_BPF &&
	       kind != CP_DSO_ANON;
}

static void
buildidcache_offer_id(
    struct cp_symbols *s, struct cp_object *o, const uint8_t *id, size_t size)
{
	const char *const names[] = {
		o->dso->pub.kind == CP_DSO_VDSO ? "/vdso" : "/elf", "/debug", ""
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(names) && usable(s, o); i++) {
		char *path = cache_path(s, id, size, names[i]);

		if (path != NULL)
			cp_object_offer_path(
			    o, &cp_symbolizer_buildid_cache, path);
		free(path);
	}
}

static void
buildidcache_find(struct cp_symbols *s, struct cp_object *o)
{
	size_t size = 0;

	while (usable(s, o) && (size = next_size(&o->dso->pub, size)) != 0)
		buildidcache_offer_id(s, o, o->dso->pub.build_id, size);
}

static bool
buildidcache_find_id(struct cp_symbols *s, const uint8_t *id, size_t size,
    struct cp_content *out)
{
	static const char *const names[] = { "/debug", "/elf", "" };
	bool found = false;

	for (size_t i = 0; i < CP_ARRAY_LEN(names) && !found; i++) {
		char *path = cache_path(s, id, size, names[i]);

		found = s->cache_dir[0] != '\0' && path != NULL &&
			cp_objfile_take(cp_objfile_open(path), out);
		free(path);
	}
	return found;
}

static bool
buildidcache_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);
	size_t size = 0;
	bool found = false;

	while (usable(s, o) && k != NULL && !found &&
	       (size = next_size(&k->pub, size)) != 0) {
		char *path = cache_path(s, k->pub.build_id, size, "/kallsyms");

		found =
		    path != NULL && cp_object_load_kallsyms(o, s, path, NULL);
		free(path);
	}
	if (found) {
		o->trust = CP_TRUST_VERIFIED;
		o->why = "build ID";
	}
	return found;
}

const struct cp_symbolizer cp_symbolizer_buildid_cache = {
	.name = "buildid-cache",
	.source = CP_SOURCE_CACHE,
	.find = buildidcache_find,
	.offer_id = buildidcache_offer_id,
	.find_id = buildidcache_find_id,
	.open = buildidcache_open,
};
