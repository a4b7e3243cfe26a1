/* SPDX-License-Identifier: MIT */
/*
 * The file: contents, list, and the length of the list in 16 hexadecimal
 * digits with a newline.  The list is a text as manifests are:
 *
 *	coldperf-spool	1
 *	BUNDLE	INODE	SIZE	TIME	given or -
 *	PATH	NAME	KIND, g if given	BUILD-ID	OFFSET	SIZE
 *	sum	of what is before
 */
#include "symbolize/bundlecache.h"

#include <unistd.h>

#include "base/limits.h"
#include "base/manifest.h"
#include "symbolize/cachefile.h"

#define MAGIC "coldperf-spool\t1\t"
#define TAIL 17
#define BLOCK ((size_t)64 << 10)

static const char *
word(bool given)
{
	return given ? "given" : "-";
}

/* ------------------------------------------------------------- reading */

/* The list at the end of the file, and where it begins. */
static bool
read_list(int fd, struct cp_manifest *list, uint64_t *data)
{
	char tail[TAIL + 1] = "", *end, *text;
	struct stat st;
	uint64_t size, n;
	bool good;

	if (fstat(fd, &st) != 0 || st.st_size < TAIL)
		return false;
	size = (uint64_t)st.st_size - TAIL;
	if (pread(fd, tail, TAIL, (off_t)size) != TAIL)
		return false;
	n = strtoull(tail, &end, 16);
	if (end != tail + TAIL - 1 || *end != '\n' || n > size ||
	    n > CP_BUNDLE_CACHE_LIST)
		return false;
	*data = size - n;
	text = cp_xmalloc((size_t)n + 1);
	good = pread(fd, text, (size_t)n, (off_t)*data) == (ssize_t)n &&
	       cp_sum_is_right(text, (size_t)n) &&
	       cp_manifest_parse(list, MAGIC, text, (size_t)n);
	free(text);
	return good;
}

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
keep(struct cp_symindex *x, const char *text)
{
	return cp_arena_strndup(&x->arena, text, strlen(text));
}

/* A line may say anything: it stays inside the contents. */
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
	f->build_id_size = cp_read_id(l->field[3], f->build_id);
	f->at.offset = strtoull(l->field[4], NULL, 10);
	f->at.size = strtoull(l->field[5], NULL, 10);
	if (f->at.offset % BLOCK != 0 || f->at.offset > data ||
	    f->at.size > data - f->at.offset)
		return false;
	f->path = keep(x, l->field[0]);
	f->name = keep(x, l->field[1]);
	return true;
}

/* All lines, or none of them. */
static bool
add_lines(struct cp_symindex *x, const struct cp_manifest *list, uint64_t data)
{
	size_t had = x->files.len;
	struct cp_indexed f;

	for (size_t i = 2; i + 1 < list->lines.len; i++) {
		if (x->files.len >= CP_MAX_SYMBOL_FILES ||
		    !read_line(x, &list->lines.data[i], data, &f)) {
			x->files.len = had;
			return false;
		}
		f.bundle = (uint32_t)x->bundles.len + 1;
		cp_walk_push(x, &f);
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
	if (fd >= 0 && fstat(bundle, &st) == 0 && read_list(fd, &list, &data))
		good = list.lines.len > 2 &&
		       is_of(&list.lines.data[1], path, given, &st) &&
		       add_lines(x, &list, data);
	cp_manifest_free(&list);
	if (good) {
		futimens(fd, NULL); /* used last */
		*cp_vec_push(&x->bundles) = (struct cp_spool){ fd, data };
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

	for (size_t i = 0; i < CP_MIN(f->build_id_size, 20); i++)
		snprintf(hex + 2 * i, 3, "%02x", f->build_id[i]);
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
	char sum[CP_SUM_LINE + 1];
	size_t n;

	cp_buf_str(b, MAGIC "\n");
	cp_manifest_put(b, of, 5);
	for (size_t i = first; i < x->files.len; i++)
		put_line(b, &x->files.data[i]);
	cp_sum_line(cp_buf_text(b), b->len, sum);
	cp_buf_str(b, sum);
	n = b->len;
	cp_buf_printf(b, "%016zx\n", n);
}

/* Holes stay holes. */
static bool
copy(int from, int to, uint64_t size)
{
	static const uint8_t zeros[BLOCK];
	uint8_t *block = cp_xmalloc(BLOCK);
	bool good = true;

	for (uint64_t at = 0; at < size && good; at += BLOCK) {
		ssize_t n = pread(from, block, BLOCK, (off_t)at);

		good = n >= 0 &&
		       (memcmp(block, zeros, (size_t)n) == 0 ||
			   pwrite(to, block, (size_t)n, (off_t)at) == n);
	}
	free(block);
	return good;
}

static bool
write_all(int fd, const struct cp_spool *spool, const struct cp_buf *list)
{
	return !list->full && copy(spool->fd, fd, spool->used) &&
	       pwrite(fd, list->data, list->len, (off_t)spool->used) ==
		   (ssize_t)list->len;
}

/* A cache that cannot be written is none; nobody needs to know. */
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
		cp_cachefile_finish(cache, tmp, write_all(fd, spool, &list));
		close(fd);
		cp_buf_free(&list);
		cp_cachefile_trim(cache, CP_BUNDLE_CACHE_MAX);
	}
	free(cache);
}
