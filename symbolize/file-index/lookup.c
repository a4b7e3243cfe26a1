/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/lookup.h"

#include "base/strings.h"
#include "model/dso.h"
#include "symbolize/file-index/index.h"

static const struct cp_indexed *
first_equal(
    const struct cp_symindex *x, uint32_t at, const uint8_t *id, size_t size)
{
	for (; at != 0; at = x->files.data[at - 1].next) {
		const struct cp_indexed *f = &x->files.data[at - 1];

		if (cp_build_id_equal(f->build_id, f->build_id_size, id, size))
			return f;
	}
	return NULL;
}

const struct cp_indexed *
cp_symindex_id(struct cp_symindex *x, const uint8_t *id, size_t size)
{
	if (x->places.len == 0 || size == 0)
		return NULL;
	cp_symindex_ready(x);
	return first_equal(
	    x, cp_map64_get(&x->by_id, cp_symindex_id_key(id, size)), id, size);
}

const struct cp_indexed *
cp_symindex_id_next(const struct cp_symindex *x, const struct cp_indexed *f,
    const uint8_t *id, size_t size)
{
	return first_equal(x, f->next, id, size);
}

static const struct cp_indexed *
first_named(const struct cp_symindex *x, uint32_t at, const char *name)
{
	for (; at != 0; at = x->files.data[at - 1].next)
		if (strcmp(cp_basename(x->files.data[at - 1].name), name) == 0)
			return &x->files.data[at - 1];
	return NULL;
}

const struct cp_indexed *
cp_symindex_named(struct cp_symindex *x, const char *name)
{
	if (x->places.len == 0)
		return NULL;
	cp_symindex_ready(x);
	return first_named(
	    x, cp_map64_get(&x->by_name, cp_symindex_name_key(name)), name);
}

const struct cp_indexed *
cp_symindex_named_next(
    const struct cp_symindex *x, const struct cp_indexed *f, const char *name)
{
	return first_named(x, f->next, name);
}

/* The component of the path that ends before `end', which moves before it. */
static const char *
last_component(const char *path, const char **end, size_t *n)
{
	const char *from = *end;

	while (from > path && from[-1] != '/')
		from--;
	*n = (size_t)(*end - from);
	*end = from > path ? from - 1 : path;
	return from;
}

/*
 * Is that the file's name?  In perf's cache and its archives it is that of a
 * folder: NAME/BUILD-ID/elf.
 */
static bool
is_named(const char *path, const char *name)
{
	const char *end = path + strlen(path), *part;
	uint8_t id[20];
	size_t n;

	part = last_component(path, &end, &n);
	if (strcmp(part, name) == 0)
		return true;
	part = last_component(path, &end, &n);
	if (cp_hex_read(part, n, id, sizeof(id)) == 0)
		return false;
	part = last_component(path, &end, &n);
	return n == strlen(name) && memcmp(part, name, n) == 0;
}

/* Files with a build ID are not in by_name. */
const struct cp_indexed *
cp_symindex_namesake(struct cp_symindex *x, const char *name)
{
	if (x->places.len == 0)
		return NULL;
	cp_symindex_ready(x);
	for (size_t i = 0; i < x->files.len; i++) {
		const struct cp_indexed *f = &x->files.data[i];

		if (cp_indexed_is_elf(f) && f->build_id_size != 0 &&
		    is_named(f->name, name))
			return f;
	}
	return NULL;
}
