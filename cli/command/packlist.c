/* SPDX-License-Identifier: MIT */
#include "cli/command/packlist.h"

#include "base/limits.h"
#include "base/manifest.h"
#include "base/digest.h"
#include "base/retry.h"

#define CHUNK ((size_t)1 << 18)

struct cp_pack_item *
cp_packlist_add(struct cp_packlist *l, const char *name)
{
	uint32_t *seen =
	    cp_map64_put(&l->names, cp_hash_bytes(name, strlen(name)));
	struct cp_pack_item *it;

	if (*seen != 0)
		return NULL;
	*seen = 1;
	it = cp_vec_push(&l->items);
	*it = (struct cp_pack_item){ .fd = -1,
		.role = "",
		.mode = 0644,
		.id = "-",
		.name = cp_arena_strndup(&l->arena, name, strlen(name)) };
	return it;
}

void
cp_packlist_free(struct cp_packlist *l)
{
	cp_vec_free(&l->items);
	cp_vec_free(&l->missing);
	cp_vec_free(&l->ends);
	cp_map64_free(&l->names);
	cp_arena_free(&l->arena);
}

/* -------------------------------------------------------------- contents */

typedef void (*take_fn)(void *ctx, const void *data, size_t n);

static void
take_zeros(uint64_t n, take_fn take, void *ctx)
{
	static const uint8_t zeros[4096];

	for (; n > 0; n -= CP_MIN(n, sizeof(zeros)))
		take(ctx, zeros, (size_t)CP_MIN(n, sizeof(zeros)));
}

/* Passes the content to take(), with zeros for holes. */
static void
take_data(const struct cp_pack_item *it, take_fn take, void *ctx)
{
	uint64_t at = 0;

	if (it->n_kept == 0)
		take(ctx, it->data, (size_t)it->size);
	for (size_t i = 0; i < it->n_kept; i++) {
		const struct cp_extent *r = &it->kept[i];

		take_zeros(r->offset - at, take, ctx);
		take(ctx, it->data + r->offset, (size_t)r->size);
		at = r->offset + r->size;
	}
	if (it->n_kept != 0)
		take_zeros(it->size - at, take, ctx);
}

/* Returns false if the file has become shorter. */
static bool
take_fd(const struct cp_pack_item *it, take_fn take, void *ctx)
{
	CP_CLEANUP(cp_cleanup_free) uint8_t *buf = cp_xmalloc(CHUNK);
	uint64_t at = 0;

	while (at < it->size) {
		ssize_t n = cp_pread(it->fd, buf,
		    (size_t)CP_MIN(CHUNK, it->size - at), (off_t)at);

		if (n <= 0)
			return false;
		take(ctx, buf, (size_t)n);
		at += (uint64_t)n;
	}
	return true;
}

static bool
take_all(const struct cp_pack_item *it, take_fn take, void *ctx)
{
	if (it->fd >= 0)
		return take_fd(it, take, ctx);
	take_data(it, take, ctx);
	return true;
}

static void
hash(void *ctx, const void *data, size_t n)
{
	cp_sha256_add(ctx, data, n);
}

static void
write_some(void *ctx, const void *data, size_t n)
{
	cp_archive_writer_add(ctx, data, n);
}

/* -------------------------------------------------------------- manifest */

static void
put_item(struct cp_buf *b, const struct cp_pack_item *it)
{
	char size[24], role[40];
	const char *link[] = { "link", it->target, it->name };
	const char *file[] = { "file", it->sha, size, role, it->id, it->name };

	snprintf(size, sizeof(size), "%" PRIu64, it->size);
	snprintf(role, sizeof(role), "%s%s", it->role,
	    it->n_kept != 0 ? "-slim" : "");
	if (it->target != NULL)
		cp_manifest_put(b, link, 3);
	else
		cp_manifest_put(b, file, 6);
}

static void
make_manifest(const struct cp_packlist *l, const char *tool, struct cp_buf *b)
{
	const char *first[] = { "coldperf-bundle", "1", tool };

	cp_manifest_put(b, first, 3);
	for (size_t i = 0; i < l->n_labels; i++) {
		const char *value = strchr(l->labels[i], '=') + 1;
		char *key = cp_xmalloc((size_t)(value - l->labels[i]));
		const char *line[] = { "label", key, value };

		snprintf(
		    key, (size_t)(value - l->labels[i]), "%s", l->labels[i]);
		cp_manifest_put(b, line, 3);
		free(key);
	}
	for (size_t i = 0; i < l->items.len; i++)
		put_item(b, &l->items.data[i]);
	for (size_t i = 0; i < l->missing.len; i++) {
		const struct cp_pack_missing *m = &l->missing.data[i];
		const char *line[] = { "missing", m->role, m->id, m->name };

		cp_manifest_put(b, line, 4);
	}
	for (size_t i = 0; i < l->ends.len; i++) {
		const struct cp_pack_end *e = &l->ends.data[i];
		char n[24];
		const char *line[] = { "unwound", e->reason, n, e->object };

		snprintf(n, sizeof(n), "%" PRIu64, e->n);
		cp_manifest_put(b, line, 4);
	}
}

/* Sorts the capture first: readers of the bundle need it first. */
static int
item_order(const void *a, const void *b)
{
	const struct cp_pack_item *x = a, *y = b;
	bool cx = strncmp(x->role, "capture", 7) == 0;
	bool cy = strncmp(y->role, "capture", 7) == 0;

	return cx != cy ? (cx ? -1 : 1) : strcmp(x->name, y->name);
}

static int
missing_order(const void *a, const void *b)
{
	const struct cp_pack_missing *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	if (c == 0)
		c = strcmp(x->id, y->id);
	return c != 0 ? c : strcmp(x->role, y->role);
}

static const char *
write_items(
    const struct cp_packlist *l, struct cp_archive_writer *w, uint64_t *bytes)
{
	for (size_t i = 0; i < l->items.len; i++) {
		const struct cp_pack_item *it = &l->items.data[i];

		if (it->target != NULL) {
			cp_archive_writer_link(w, it->name, it->target);
			continue;
		}
		cp_archive_writer_file(
		    w, it->name, it->mode, it->size, it->kept, it->n_kept);
		if (!take_all(it, write_some, w))
			return it->name;
		*bytes += it->size;
	}
	return NULL;
}

static const char *
hash_items(struct cp_packlist *l)
{
	for (size_t i = 0; i < l->items.len; i++) {
		struct cp_pack_item *it = &l->items.data[i];
		struct cp_sha256 s;

		cp_sha256_init(&s);
		if (it->target == NULL && !take_all(it, hash, &s))
			return it->name;
		cp_sha256_hex(&s, it->sha);
	}
	return NULL;
}

const char *
cp_packlist_write(struct cp_packlist *l, const char *name, cp_archive_push push,
    void *ctx, const char *tool, uint64_t *bytes)
{
	struct cp_archive_writer *w;
	const char *shrank, *why;
	struct cp_buf b;

	*bytes = 0;
	if (l->items.len != 0)
		qsort(l->items.data, l->items.len, sizeof(*l->items.data),
		    item_order);
	if (l->missing.len != 0)
		qsort(l->missing.data, l->missing.len, sizeof(*l->missing.data),
		    missing_order);
	if (hash_items(l) != NULL)
		return "the capture became shorter";
	w = cp_archive_writer_new(push, ctx, name);
	if (w == NULL)
		return "libarchive is not installed";
	cp_buf_init(&b, CP_MAX_MANIFEST);
	make_manifest(l, tool, &b);
	cp_archive_writer_file(w, CP_MANIFEST_NAME, 0644, b.len, NULL, 0);
	cp_archive_writer_add(w, b.data, b.len);
	cp_buf_free(&b);
	shrank = write_items(l, w, bytes);
	why = cp_archive_writer_end(w);
	return why == NULL && shrank != NULL ? "the capture became shorter"
					     : why;
}
