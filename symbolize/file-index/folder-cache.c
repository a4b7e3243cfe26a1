/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/folder-cache.h"

#include <unistd.h>

#include "base/disk-cache.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/file-index/file-kind.h"

#define MAGIC "coldperf-index\t3\t"
#define WORTH_IT 64 /* files; with fewer a cache saves nothing */

static uint64_t
path_hash(const char *path)
{
	return cp_hash_bytes(path, strlen(path));
}

void
cp_indexcache_open(struct cp_indexcache *c, const char *folder)
{
	struct cp_content text;
	int fd;

	*c = (struct cp_indexcache){ .path =
					 cp_cachefile_path("index", folder) };
	cp_buf_init(&c->made, CP_MAX_FOLDER_CACHE);
	cp_buf_str(&c->made, MAGIC "\n");
	fd = c->path != NULL ? cp_objfile_open(c->path) : -1;
	if (fd < 0)
		return;
	if (cp_objfile_read(fd, CP_MAX_FOLDER_CACHE, &text)) {
		if (cp_sum_is_right(text.data, text.size))
			cp_manifest_parse(
			    &c->old, MAGIC, (const char *)text.data, text.size);
		cp_content_free(&text);
	}
	close(fd);
	for (size_t i = 0; i < c->old.lines.len; i++)
		if (c->old.lines.data[i].n == 6)
			*cp_map64_put(&c->by_path,
			    path_hash(c->old.lines.data[i].field[0])) =
			    (uint32_t)i + 1;
}

bool
cp_indexcache_get(struct cp_indexcache *c, const struct stat *st,
    struct cp_arena *a, struct cp_indexed *f)
{
	uint32_t at = cp_map64_get(&c->by_path, path_hash(f->path));
	const struct cp_manifest_line *l;
	struct cp_identity id;

	if (at == 0)
		return false;
	l = &c->old.lines.data[at - 1];
	id = cp_identity_of(st);
	if (strcmp(l->field[0], f->path) != 0 ||
	    strcmp(l->field[1], id.inode) != 0 ||
	    strcmp(l->field[2], id.size) != 0 ||
	    strcmp(l->field[3], id.time) != 0 || l->field[4][0] < '0' ||
	    l->field[4][0] > '0' + CP_INDEXED_BUNDLE)
		return false;
	f->kind = (uint8_t)(l->field[4][0] - '0');
	f->build_id_size = (uint8_t)cp_hex_read(
	    l->field[5], strlen(l->field[5]), f->build_id, 20);
	if (f->kind == CP_INDEXED_PACKED && !cp_kind_is_module(f->path))
		f->name =
		    cp_arena_strndup(a, f->name, cp_kind_packed_elf(f->name));
	c->known++;
	return true;
}

void
cp_indexcache_put(
    struct cp_indexcache *c, const struct stat *st, const struct cp_indexed *f)
{
	struct cp_identity id = cp_identity_of(st);
	char kind[2] = { (char)('0' + f->kind), '\0' }, hex[41] = "";
	const char *field[] = { f->path, id.inode, id.size, id.time, kind,
		hex };

	cp_hex_of(hex, f->build_id, CP_MIN(f->build_id_size, 20));
	cp_manifest_put(&c->made, field, 6);
	c->files++;
}

void
cp_indexcache_close(struct cp_indexcache *c)
{
	if (c->path != NULL && c->files >= WORTH_IT &&
	    (c->known != c->files || c->old.lines.len != c->files + 2)) {
		/*
		 * A failure to write the cache is ignored: the cache only saves
		 * time.
		 */
		char sum[CP_SUM_LINE + 1];

		cp_sum_line(c->made.data, c->made.len, sum);
		cp_buf_str(&c->made, sum);
		if (!c->made.full)
			(void)cp_cachefile_put(
			    c->path, c->made.data, c->made.len);
		/* Removes only what killed runs left. */
		cp_cachefile_bound("index", UINT64_MAX);
	}
	cp_manifest_free(&c->old);
	cp_map64_free(&c->by_path);
	cp_buf_free(&c->made);
	free(c->path);
}
