/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/index.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "model/dso.h"
#include "symbolize/kernel/running-kernel.h"

void
cp_symindex_init(struct cp_symindex *x, struct cp_diags *diags)
{
	*x = (struct cp_symindex){ .diags = diags };
	pthread_mutex_init(&x->lock, NULL);
}

void
cp_symindex_add(struct cp_symindex *x, const char *path, bool given)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		if (given)
			cp_diag(x->diags, CP_D_NO_SYMBOLS, "%s", path);
		return;
	}
	*cp_vec_push(&x->places) =
	    (struct cp_place){ cp_arena_strndup(&x->arena, path, strlen(path)),
		    given };
}

void
cp_symindex_free(struct cp_symindex *x)
{
	for (size_t i = 0; i < x->bundles.len; i++)
		cp_spool_close(&x->bundles.data[i]);
	cp_vec_free(&x->places);
	cp_vec_free(&x->bundles);
	cp_vec_free(&x->files);
	cp_vec_free(&x->roots);
	cp_vec_free(&x->todo);
	cp_map64_free(&x->by_id);
	cp_map64_free(&x->by_name);
	cp_map64_free(&x->visited);
	pthread_mutex_destroy(&x->lock);
	cp_arena_free(&x->arena);
}

/* Padded IDs compare equal, so the padding must not count. */
static uint64_t
id_hash(const uint8_t *id, size_t size)
{
	while (size > 0 && id[size - 1] == 0)
		size--;
	return cp_hash_bytes(id, size);
}

void
cp_walk_push(struct cp_symindex *x, const struct cp_indexed *f)
{
	*cp_vec_push(&x->files) = *f;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static uint64_t
name_hash(const char *name)
{
	return cp_hash_bytes(name, strlen(name));
}

/* From the last to the first, so that the first is found first. */
static void
link_files(struct cp_symindex *x)
{
	for (size_t i = x->files.len; i-- > 0;) {
		struct cp_indexed *f = &x->files.data[i];
		uint32_t *first;

		if (f->build_id_size != 0)
			first = cp_map64_put(
			    &x->by_id, id_hash(f->build_id, f->build_id_size));
		else if (f->kind == CP_INDEXED_ELF)
			first = cp_map64_put(
			    &x->by_name, name_hash(last_part(f->name)));
		else
			continue;
		f->next = *first;
		*first = (uint32_t)i + 1;
	}
}

void
cp_symindex_ready(struct cp_symindex *x)
{
	pthread_mutex_lock(&x->lock);
	if (!x->ready) {
		for (size_t i = 0; i < x->places.len; i++)
			cp_walk_place(x, &x->places.data[i]);
		link_files(x);
		cp_map64_free(&x->visited);
		x->ready = true;
	}
	pthread_mutex_unlock(&x->lock);
}

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
	    x, cp_map64_get(&x->by_id, id_hash(id, size)), id, size);
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
		if (strcmp(last_part(x->files.data[at - 1].name), name) == 0)
			return &x->files.data[at - 1];
	return NULL;
}

const struct cp_indexed *
cp_symindex_named(struct cp_symindex *x, const char *name)
{
	if (x->places.len == 0)
		return NULL;
	cp_symindex_ready(x);
	return first_named(x, cp_map64_get(&x->by_name, name_hash(name)), name);
}

const struct cp_indexed *
cp_symindex_named_next(
    const struct cp_symindex *x, const struct cp_indexed *f, const char *name)
{
	return first_named(x, f->next, name);
}

/* ------------------------------------------------------------- contents */

static bool
map_spooled(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_content *out)
{
	void *p;

	if (f->at.size == 0)
		return false;
	p = mmap(NULL, (size_t)f->at.size, PROT_READ, MAP_PRIVATE,
	    x->bundles.data[f->bundle - 1].fd, (off_t)f->at.offset);
	if (p == MAP_FAILED)
		return false;
	*out = (struct cp_content){ p, (size_t)f->at.size, true };
	return true;
}

static bool
map_file(const struct cp_indexed *f, struct cp_content *out)
{
	int fd = cp_objfile_open(f->path);
	bool ok;

	if (fd < 0)
		return false;
	ok = f->kind == CP_INDEXED_PACKED
		 ? cp_bundle_inflate(
		       (struct cp_fd_span){ fd, 0, INT64_MAX }, out)
		 : cp_objfile_map(fd, out);
	close(fd);
	return ok;
}

static bool
inflate_spooled(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_content *out)
{
	return cp_bundle_inflate(
	    (struct cp_fd_span){
		x->bundles.data[f->bundle - 1].fd, f->at.offset, f->at.size },
	    out);
}

bool
cp_symindex_content(
    struct cp_symindex *x, const struct cp_indexed *f, struct cp_content *out)
{
	if (f->bundle == 0)
		return map_file(f, out);
	return f->kind == CP_INDEXED_PACKED ? inflate_spooled(x, f, out)
					    : map_spooled(x, f, out);
}

bool
cp_symindex_read(struct cp_symindex *x, const struct cp_indexed *f, size_t max,
    struct cp_content *out)
{
	struct cp_content mapped;
	uint8_t *copy;
	int fd;
	bool ok;

	if (f->bundle == 0) {
		fd = f->given ? cp_running_open(f->path) : -1;
		if (fd < 0)
			fd = cp_objfile_open(f->path);
		if (fd < 0)
			return false;
		ok = cp_objfile_read(fd, max, out);
		close(fd);
		return ok;
	}
	if (f->at.size > max || !map_spooled(x, f, &mapped))
		return false;
	copy = cp_xmalloc(mapped.size);
	memcpy(copy, mapped.data, mapped.size);
	*out = (struct cp_content){ copy, mapped.size, false };
	cp_content_free(&mapped);
	return true;
}
