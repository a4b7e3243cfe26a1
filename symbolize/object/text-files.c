/* SPDX-License-Identifier: MIT */
#include "symbolize/object/text-files.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/retry.h"
#include "base/strings.h"
#include "base/temp-file.h"
#include "symbolize/file-index/index.h"
#include "symbolize/file-index/content.h"
#include "symbolize/object/object.h"
#include "symbolize/object/snapshot.h"

bool
cp_paths_have(const cp_paths *all, const char *path)
{
	for (size_t i = 0; i < all->len; i++)
		if (strcmp(all->data[i], path) == 0)
			return true;
	return false;
}

/* Adds a path that is new.  There may be as many as a folder has maps. */
static void
add_once(cp_paths *all, struct cp_map64 *numbers, const char *path)
{
	uint32_t *number =
	    cp_map64_put(numbers, cp_hash_bytes(path, strlen(path)));

	if (*number != 0 && strcmp(all->data[*number - 1], path) == 0)
		return;
	*cp_vec_push(all) = path;
	*number = (uint32_t)all->len;
}

static void
of_kind(struct cp_symbols *s, enum cp_indexed_kind kind, const char *name,
    cp_paths *out)
{
	struct cp_map64 numbers = { 0 };

	if (s->index.places.len == 0)
		return;
	cp_symindex_ready(&s->index);
	for (size_t i = 0; i < out->len; i++)
		*cp_map64_put(&numbers,
		    cp_hash_bytes(out->data[i], strlen(out->data[i]))) =
		    (uint32_t)i + 1;
	for (size_t i = 0; i < s->index.files.len; i++) {
		const struct cp_indexed *f = &s->index.files.data[i];

		if (f->kind == kind &&
		    (name == NULL || strcmp(cp_basename(f->name), name) == 0))
			add_once(out, &numbers, f->path);
	}
	cp_map64_free(&numbers);
}

void
cp_text_file_perf_maps(struct cp_symbols *s, const char *name, cp_paths *out)
{
	of_kind(s, CP_INDEXED_PERF_MAP, name, out);
}

void
cp_text_file_jitdumps(struct cp_symbols *s, const char *name, cp_paths *out)
{
	of_kind(s, CP_INDEXED_JITDUMP, name, out);
}

static const struct cp_indexed *
member_at(struct cp_symbols *s, const char *path)
{
	if (s->index.places.len == 0)
		return NULL;
	cp_symindex_ready(&s->index);
	for (size_t i = 0; i < s->index.files.len; i++)
		if (s->index.files.data[i].bundle != 0 &&
		    strcmp(s->index.files.data[i].path, path) == 0)
			return &s->index.files.data[i];
	return NULL;
}

bool
cp_text_file_is_member(struct cp_symbols *s, const char *path)
{
	return member_at(s, path) != NULL;
}

/* Is the path, or a folder on it, one that the user named? */
static bool
is_given(const struct cp_symbols *s, const char *path)
{
	for (size_t i = 0; i < s->opt.n_paths; i++) {
		const char *place = s->opt.paths[i];
		size_t n = strlen(place);

		if (strncmp(path, place, n) == 0 &&
		    (path[n] == '\0' || path[n] == '/' ||
			(n > 0 && place[n - 1] == '/')))
			return true;
	}
	return false;
}

/* The part of "/proc/PID/root/tmp/..." after the root; NULL: not such a path.
 */
static const char *
below_root(const char *path)
{
	const char *root = strstr(path, "/root/tmp/perf-");

	return strncmp(path, "/proc/", 6) == 0 && root != NULL
		   ? root + strlen("/root/")
		   : NULL;
}

/* Opens a file of a process's own, in the process's root. */
static int
open_in_root(const char *path, const char *file)
{
	char root[64];
	struct stat process, st;
	int fd;

	snprintf(root, sizeof(root), "%.*s",
	    (int)CP_MIN((size_t)(file - path - 1), sizeof(root) - 1), path);
	fd = cp_objfile_open_under(root, file);
	root[strlen(root) - strlen("/root")] = '\0';
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && stat(root, &process) == 0 &&
	    (st.st_uid == 0 || st.st_uid == process.st_uid) &&
	    (st.st_mode & S_IWOTH) == 0 && st.st_nlink == 1)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static int
open_path(const struct cp_symbols *s, const char *path)
{
	const char *file = below_root(path);

	if (file != NULL)
		return open_in_root(path, file);
	return is_given(s, path) ? cp_objfile_open(path)
				 : cp_objfile_open_own(path);
}

const char *
cp_text_file_why(int error)
{
	switch (error) {
	case 0: return NULL;
	case EPERM: return "another user may write to it; --symbols takes it";
	case ELOOP: return "it is a link; --symbols takes it";
	case EREMOTE: return "not on this machine; --symbols takes it";
	}
	return cp_objfile_was_refused(error) ? strerror(error) : NULL;
}

bool
cp_text_file_read(
    struct cp_symbols *s, const char *path, size_t max, struct cp_content *out)
{
	const struct cp_indexed *f = member_at(s, path);
	bool ok;
	int fd;

	errno = 0;
	if (f != NULL)
		return cp_symindex_read(&s->index, f, max, out);
	fd = open_path(s, path);
	if (fd < 0)
		return false;
	errno = 0;
	ok = cp_objfile_read(fd, max, out);
	close(fd);
	return ok;
}

/* A temporary file of those bytes, which are freed; -1: failed. */
static int
as_file(struct cp_content *c)
{
	int fd = cp_temp_file();
	bool ok = fd >= 0 && cp_write_all(fd, c->data, c->size);

	cp_content_free(c);
	if (fd >= 0 && !ok) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int
cp_text_file_open(struct cp_symbols *s, const char *path)
{
	const struct cp_indexed *f = member_at(s, path);
	struct cp_content c;

	if (f == NULL)
		return open_path(s, path);
	errno = 0;
	return cp_symindex_content(&s->index, f, &c) ? as_file(&c) : -1;
}

int
cp_text_file_recorded(
    struct cp_symbols *s, const char *recorded, uint32_t pid, const char **path)
{
	struct cp_content c;

	if (s->snapshot == NULL ||
	    !cp_snapshot_jitdump(s->snapshot, pid, recorded, &c))
		return -1;
	*path = cp_snapshot_jit_file(s->snapshot, pid, recorded);
	return as_file(&c);
}
