/* SPDX-License-Identifier: MIT */
#include "symbolize/indexcache.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/sha256.h"

#define MAGIC "coldperf-index\t1\t"
#define MAX_CACHE ((size_t)128 << 20)
#define WORTH_IT 64 /* files; fewer are looked at as fast as a cache is */

static void
sum_of(const void *p, size_t n, char out[65])
{
	struct cp_sha256 s;

	cp_sha256_init(&s);
	cp_sha256_add(&s, p, n);
	cp_sha256_hex(&s, out);
}

static char *
cache_path(const char *folder)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *real = realpath(folder, NULL);
	struct cp_buf b;
	char sum[65];

	if (real == NULL)
		return NULL;
	sum_of(real, strlen(real), sum);
	free(real);
	cp_buf_init(&b, 4096);
	if (cache != NULL && cache[0] == '/')
		cp_buf_printf(&b, "%s/coldperf/index/%s", cache, sum);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(&b, "%s/.cache/coldperf/index/%s", home, sum);
	if (!b.full)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}

/* The last line is the sum of all before it. */
static bool
is_sound(const struct cp_content *c)
{
	static const size_t last = 4 + 64 + 1; /* "sum\t" 64 digits "\n" */
	const char *text = (const char *)c->data;
	char sum[65];

	if (c->size < last || memcmp(text + c->size - last, "sum\t", 4) != 0)
		return false;
	sum_of(text, c->size - last, sum);
	return memcmp(text + c->size - last + 4, sum, 64) == 0;
}

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

	*c = (struct cp_indexcache){ .path = cache_path(folder) };
	cp_buf_init(&c->made, MAX_CACHE);
	cp_buf_str(&c->made, MAGIC "\n");
	fd = c->path != NULL ? cp_objfile_open(c->path) : -1;
	if (fd < 0)
		return;
	if (cp_objfile_read(fd, MAX_CACHE, &text)) {
		if (is_sound(&text))
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

/* What must be the same: three of the fields. */
struct identity {
	char inode[24], size[24], time[48];
};

static struct identity
identity_of(const struct stat *st)
{
	struct identity id;

	snprintf(id.inode, sizeof(id.inode), "%" PRIu64, (uint64_t)st->st_ino);
	snprintf(id.size, sizeof(id.size), "%" PRIu64, (uint64_t)st->st_size);
	snprintf(id.time, sizeof(id.time), "%" PRId64 ".%ld",
	    (int64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
	return id;
}

static uint8_t
read_id(const char *hex, uint8_t id[20])
{
	size_t n = strlen(hex) / 2;
	unsigned byte;

	if (n > 20)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return 0;
		else
			id[i] = (uint8_t)byte;
	return (uint8_t)n;
}

bool
cp_indexcache_get(
    struct cp_indexcache *c, const struct stat *st, struct cp_indexed *f)
{
	uint32_t at = cp_map64_get(&c->by_path, path_hash(f->path));
	const struct cp_manifest_line *l;
	struct identity id;

	if (at == 0)
		return false;
	l = &c->old.lines.data[at - 1];
	id = identity_of(st);
	if (strcmp(l->field[0], f->path) != 0 ||
	    strcmp(l->field[1], id.inode) != 0 ||
	    strcmp(l->field[2], id.size) != 0 ||
	    strcmp(l->field[3], id.time) != 0 || l->field[4][0] < '0' ||
	    l->field[4][0] > '0' + CP_INDEXED_PACKED)
		return false;
	f->kind = (uint8_t)(l->field[4][0] - '0');
	f->build_id_size = read_id(l->field[5], f->build_id);
	c->known++;
	return true;
}

void
cp_indexcache_put(
    struct cp_indexcache *c, const struct stat *st, const struct cp_indexed *f)
{
	struct identity id = identity_of(st);
	char kind[2] = { (char)('0' + f->kind), '\0' }, hex[41] = "";
	const char *field[] = { f->path, id.inode, id.size, id.time, kind,
		hex };

	for (size_t i = 0; i < CP_MIN(f->build_id_size, 20); i++)
		snprintf(hex + 2 * i, 3, "%02x", f->build_id[i]);
	cp_manifest_put(&c->made, field, 6);
	c->files++;
}

/* Folders on the way, ours only. */
static void
make_folders(const char *path)
{
	char *copy = cp_xcalloc(strlen(path) + 1, 1);

	memcpy(copy, path, strlen(path));
	for (char *s = copy + 1; (s = strchr(s, '/')) != NULL; *s++ = '/') {
		*s = '\0';
		if (access(copy, F_OK) != 0 && mkdir(copy, 0700) != 0)
			break;
	}
	free(copy);
}

/* A cache that cannot be written is none; nobody needs to know. */
static void
write_cache(struct cp_indexcache *c)
{
	struct cp_buf tmp;
	char sum[65];
	int fd;

	sum_of(c->made.data, c->made.len, sum);
	cp_buf_printf(&c->made, "sum\t%s\n", sum);
	cp_buf_init(&tmp, 4200);
	cp_buf_printf(&tmp, "%s.%ld", c->path, (long)getpid());
	make_folders(c->path);
	fd = open(cp_buf_text(&tmp),
	    O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0) {
		bool ok =
		    !c->made.full && write(fd, c->made.data, c->made.len) ==
					 (ssize_t)c->made.len;

		close(fd);
		if (!ok || rename(tmp.data, c->path) != 0)
			unlink(tmp.data);
	}
	cp_buf_free(&tmp);
}

void
cp_indexcache_close(struct cp_indexcache *c)
{
	if (c->path != NULL && c->files >= WORTH_IT &&
	    (c->known != c->files || c->old.lines.len != c->files + 2))
		write_cache(c);
	cp_manifest_free(&c->old);
	cp_map64_free(&c->by_path);
	cp_buf_free(&c->made);
	free(c->path);
}
