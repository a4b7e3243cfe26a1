/* SPDX-License-Identifier: MIT */
/*
 * Scans a folder.
 *
 * The walk has its own stack and sorts the names of each folder, because
 * directory order differs between machines.  Links are followed only in
 * .build-id/ab/, where they lead to objects.
 */
#include "symbolize/file-index/index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "symbolize/file-index/bundle-cache.h"
#include "symbolize/file-index/content.h"
#include "symbolize/file-index/file-kind.h"
#include "symbolize/file-index/folder-cache.h"
#include "symbolize/kernel/running-kernel.h"

/* True for a file that was already seen under another link. */
static bool
visited(struct cp_symindex *x, const struct stat *st)
{
	uint64_t key[2] = { (uint64_t)st->st_dev, (uint64_t)st->st_ino };
	uint32_t *seen =
	    cp_map64_put(&x->visited, cp_hash_words(key, CP_ARRAY_LEN(key)));

	if (*seen != 0) {
		x->again = true;
		return true;
	}
	*seen = 1;
	return false;
}

static void
look_at_elf(struct cp_symindex *x, struct cp_indexed *f, int fd)
{
	struct cp_elf elf;

	/* cp_elf_open() closes its descriptor. */
	if (!cp_elf_open(&elf, dup(fd))) {
		if (f->given)
			cp_diag(x->diags, CP_D_BAD_ELF, "%s", f->path);
		f->kind = CP_INDEXED_NOTHING;
		return;
	}
	f->build_id_size = elf.build_id_size;
	memcpy(f->build_id, elf.build_id, sizeof(f->build_id));
	cp_elf_free(&elf);
}

static void
look_at(struct cp_symindex *x, struct cp_indexed *f, int fd, bool given)
{
	uint8_t head[CP_ARCHIVE_HEAD];
	ssize_t n = cp_pread(fd, head, sizeof(head), 0);

	if (n > 0)
		f->kind = (uint8_t)cp_kind_of(head, (size_t)n, f->path, given);
	if (f->kind == CP_INDEXED_ELF)
		look_at_elf(x, f, fd);
	else if (f->kind == CP_INDEXED_PACKED && !cp_kind_is_module(f->path))
		cp_symindex_describe(x, f);
	else if (f->kind == CP_INDEXED_KALLSYMS)
		f->build_id_size = cp_kind_folder_id(f->path, f->build_id);
}

static int
open_or_say(const struct cp_symindex *x, const char *path)
{
	int fd = cp_objfile_open(path);

	if (fd < 0 && cp_objfile_was_refused(errno))
		cp_diag(
		    x->diags, CP_D_NOT_OPENED, "%s: %s", path, strerror(errno));
	return fd;
}

static void
add_bundle(struct cp_symindex *x, const char *path, bool own)
{
	int fd = cp_objfile_open(path);
	const struct cp_fd_span all = { fd, 0, INT64_MAX };
	size_t first = x->files.len;

	if (fd < 0)
		return;
	if ((x->no_cache || !cp_bundlecache_get(x, fd, path, own)) &&
	    cp_bundle_read(x, all, path, own) && !x->no_cache)
		cp_bundlecache_put(x, fd, path, own, first);
	close(fd);
}

/* Adds a file found in a folder. */
static void
add_found(struct cp_symindex *x, const char *path, const struct stat *st)
{
	struct cp_indexed f = { .path = path, .name = path };
	int fd;

	if (visited(x, st))
		return;
	if (x->cache == NULL ||
	    !cp_indexcache_get(x->cache, st, &x->arena, &f)) {
		fd = open_or_say(x, path);
		if (fd < 0)
			return;
		look_at(x, &f, fd, false);
		close(fd);
	}
	if (x->cache != NULL)
		cp_indexcache_put(x->cache, st, &f);
	if (f.kind == CP_INDEXED_BUNDLE)
		add_bundle(x, path, false);
	else if (f.kind != CP_INDEXED_NOTHING)
		cp_symindex_push(x, &f);
}

/* Adds the running kernel's kallsyms.  False if the path is another. */
static bool
add_running(struct cp_symindex *x, const char *path)
{
	struct cp_indexed f = { .path = path,
		.name = path,
		.kind = CP_INDEXED_KALLSYMS,
		.given = true };
	int fd = cp_running_open(path);

	if (fd < 0)
		return false;
	close(fd);
	f.build_id_size = cp_running_id(f.build_id);
	cp_symindex_push(x, &f);
	return true;
}

/* Adds a file that the user named (own) or that was found by itself. */
static void
add_given(struct cp_symindex *x, const char *path, bool own)
{
	struct cp_indexed f = { .path = path, .name = path, .given = own };
	int fd;

	if (own && add_running(x, path))
		return;
	fd = open_or_say(x, path);
	if (fd < 0)
		return;
	look_at(x, &f, fd, true);
	if (f.kind == CP_INDEXED_BUNDLE)
		add_bundle(x, path, own);
	else if (f.kind != CP_INDEXED_NOTHING)
		cp_symindex_push(x, &f);
	close(fd);
}

/* True for ".../.build-id/ab". */
static bool
is_id_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && strlen(slash) == 3 && slash - path >= 9 &&
	       strncmp(slash - 9, ".build-id", 9) == 0;
}

static void
add_path(
    struct cp_symindex *x, const char *dir, const char *path, unsigned depth)
{
	struct stat st;

	if (x->files.len + x->todo.len >= CP_MAX_SYMBOL_FILES) {
		cp_diag(x->diags, CP_D_LIMIT, "CP_MAX_SYMBOL_FILES: %s", path);
		return;
	}
	if (lstat(path, &st) != 0)
		return;
	if (S_ISLNK(st.st_mode) && (!is_id_folder(dir) || stat(path, &st) != 0))
		return;
	if (S_ISREG(st.st_mode))
		add_found(x, path, &st);
	else if (S_ISDIR(st.st_mode) && depth < CP_MAX_SYMBOL_DEPTH)
		*cp_vec_push(&x->todo) = (struct cp_folder_todo){ path, depth };
}

static void
read_folder(struct cp_symindex *x, const char *path, unsigned depth)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, NULL, alphasort);

	if (n < 0 && cp_objfile_was_refused(errno))
		cp_diag(
		    x->diags, CP_D_NOT_OPENED, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		size_t size = strlen(path) + strlen(name) + 2;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			char *sub = cp_arena_alloc(&x->arena, size);

			snprintf(sub, size, "%s/%s", path, name);
			add_path(x, path, sub, depth + 1);
		}
		free(names[i]);
	}
	free(names);
}

static void
walk_folder(struct cp_symindex *x, const char *path)
{
	struct cp_indexcache cache;

	if (!x->no_cache) {
		cp_indexcache_open(&cache, path);
		x->cache = &cache;
	}
	*cp_vec_push(&x->roots) = path;
	*cp_vec_push(&x->todo) = (struct cp_folder_todo){ path, 0 };
	while (x->todo.len > 0) {
		struct cp_folder_todo t = x->todo.data[--x->todo.len];

		read_folder(x, t.path, t.depth);
	}
	if (x->cache != NULL)
		cp_indexcache_close(&cache);
	x->cache = NULL;
}

void
cp_folder_look(struct cp_symindex *x, const struct cp_place *p)
{
	size_t had = x->files.len;
	struct stat st;

	x->again = false;
	/* Follows a link here, because the user named it. */
	if (stat(p->path, &st) != 0)
		return;
	if (S_ISDIR(st.st_mode))
		walk_folder(x, p->path);
	else
		add_given(x, p->path, p->given);
	if (p->given && x->files.len == had && !x->again)
		cp_diag(x->diags, CP_D_NO_SYMBOLS, "%s", p->path);
}
