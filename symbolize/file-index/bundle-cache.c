/* SPDX-License-Identifier: MIT */
/*
 * The file: contents and their list.
 *
 *	coldperf-spool	3
 *	BUNDLE	INODE	SIZE	TIME	given or -
 *	PATH	NAME	KIND, g if given	BUILD-ID	OFFSET	SIZE
 */
#include "symbolize/file-index/bundle-cache.h"

#include <unistd.h>

#include "base/disk-cache.h"
#include "base/limits.h"
#include "base/strings.h"

#define MAGIC "coldperf-spool\t3\t"
#define BLOCK ((size_t)64 << 10)

static const char *
word(bool given)
{
	return given ? "given" : "-";
}

/* ------------------------------------------------------------- reading */

static bool
is_of(const struct cp_manifest_line *l, const char *path, bool given,
    const struct stat *st)
{
	struct cp_identity id = cp_identity_of(st);

	return l->n == 5 && strcmp(l->field[0], path) == 0 &&
	       strcmp(l->field[1], id.inode) == 0 &&
	       strcmp(l->field[2], id.size) == 0 &&
	       strcmp(l->field[3], id.time) == 0 &&
	       strcmp(l->field[4], word(given)) == 0;
}

static const char *
copy_text(struct cp_symindex *x, const char *text)
{
	return cp_arena_strndup(&x->arena, text, strlen(text));
}

/* Checks that a line's extent is within the contents. */
static bool
read_line(struct cp_symindex *x, const struct cp_manifest_line *l,
    uint64_t data, struct cp_indexed *f)
{
	const char *kind = l->field[2];

	if (l->n != 6 || kind[0] <= '0' + CP_INDEXED_NOTHING ||
	    kind[0] >= '0' + CP_INDEXED_BUNDLE)
		return false;
	*f = (struct cp_indexed){ .kind = (uint8_t)(kind[0] - '0'),
		.given = kind[1] == 'g' };
	f->build_id_size = (uint8_t)cp_hex_read(
	    l->field[3], strlen(l->field[3]), f->build_id, 20);
	f->at.offset = strtoull(l->field[4], NULL, 10);
	f->at.size = strtoull(l->field[5], NULL, 10);
	if (f->at.offset % BLOCK != 0 || f->at.offset > data ||
	    f->at.size > data - f->at.offset)
		return false;
	f->path = copy_text(x, l->field[0]);
	f->name = copy_text(x, l->field[1]);
	return true;
}

/* Adds all lines, or none. */
static bool
add_lines(struct cp_symindex *x, const struct cp_manifest *list, uint64_t data)
{
	size_t had = x->files.len;
	struct cp_indexed f;

	for (size_t i = 2; i + 2 < list->lines.len; i++) {
		if (x->files.len >= CP_MAX_SYMBOL_FILES ||
		    !read_line(x, &list->lines.data[i], data, &f)) {
			x->files.len = had;
			return false;
		}
		f.bundle = (uint32_t)x->bundles.len + 1;
		cp_symindex_push(x, &f);
	}
	return true;
}

bool
cp_bundlecache_get(
    struct cp_symindex *x, int bundle, const char *path, bool given)
{
	char *cache = cp_cachefile_path("bundles", path);
	int fd = cache != NULL ? cp_objfile_open(cache) : -1;
	struct cp_manifest list = { 0 };
	bool good = false;
	uint64_t data;
	struct stat st;

	free(cache);
	if (fd >= 0 && fstat(bundle, &st) == 0 &&
	    cp_cachefile_read(fd, MAGIC, CP_BUNDLE_CACHE_LIST, &list, &data))
		good = list.lines.len > 2 &&
		       is_of(&list.lines.data[1], path, given, &st) &&
		       add_lines(x, &list, data);
	cp_manifest_free(&list);
	if (good) {
		futimens(fd, NULL); /* marks the file as used now */
		*cp_vec_push(&x->bundles) = (struct cp_spool){
			.fd = fd, .used = data, .from = cp_origin_of(&st)
		};
	} else if (fd >= 0) {
		close(fd);
	}
	return good;
}

/* ------------------------------------------------------------- writing */

static void
put_line(struct cp_buf *b, const struct cp_indexed *f)
{
	char kind[3] = { (char)('0' + f->kind), f->given ? 'g' : '\0' };
	char hex[41] = "", offset[24], size[24];
	const char *field[] = { f->path, f->name, kind, hex, offset, size };

	cp_hex_of(hex, f->build_id, CP_MIN(f->build_id_size, 20));
	snprintf(offset, sizeof(offset), "%" PRIu64, f->at.offset);
	snprintf(size, sizeof(size), "%" PRIu64, f->at.size);
	cp_manifest_put(b, field, 6);
}

static void
make_list(const struct cp_symindex *x, const struct stat *st, const char *path,
    bool given, size_t first, struct cp_buf *b)
{
	struct cp_identity id = cp_identity_of(st);
	const char *of[] = { path, id.inode, id.size, id.time, word(given) };

	cp_buf_str(b, MAGIC "\n");
	cp_manifest_put(b, of, 5);
	for (size_t i = first; i < x->files.len; i++)
		put_line(b, &x->files.data[i]);
}

/* A failure to write the cache is ignored: the cache only saves time. */
void
cp_bundlecache_put(struct cp_symindex *x, int bundle, const char *path,
    bool given, size_t first)
{
	const struct cp_spool *spool = &x->bundles.data[x->bundles.len - 1];
	char *cache = NULL, tmp[4200];
	struct cp_buf list;
	struct stat st;
	int fd;

	if (spool->fd < 0 || spool->used < CP_BUNDLE_CACHE_MIN ||
	    spool->used > CP_BUNDLE_CACHE_MAX / 2 || fstat(bundle, &st) != 0)
		return;
	cache = cp_cachefile_path("bundles", path);
	fd = cache != NULL ? cp_cachefile_create(cache, tmp) : -1;
	if (fd >= 0) {
		cp_buf_init(&list, CP_BUNDLE_CACHE_LIST);
		make_list(x, &st, path, given, first, &list);
		cp_cachefile_finish(cache, tmp,
		    cp_cachefile_write(fd, spool->fd, spool->used, &list));
		close(fd);
		cp_buf_free(&list);
		cp_cachefile_bound("bundles", CP_BUNDLE_CACHE_MAX);
	}
	free(cache);
}
