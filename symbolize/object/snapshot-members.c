/* SPDX-License-Identifier: MIT */
#include "symbolize/object/snapshot-members.h"

#include <sys/stat.h>

#include "base/diag.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/manifest.h"
#include "base/snapshot-meta.h"
#include "symbolize/file-index/content.h"

/* A table's file. */
#define MAX_FILE ((size_t)256 << 20)

static const char *const names[CP_SNAPSHOT_READ] = {
	[CP_SNAPSHOT_OBJECTS] = "objects.parquet",
	[CP_SNAPSHOT_SYMBOLS] = "symbols.parquet",
	[CP_SNAPSHOT_FRAMES] = "frames.parquet",
	[CP_SNAPSHOT_SPOTS] = "spots.parquet",
	[CP_SNAPSHOT_STACKS] = "stacks.parquet",
	[CP_SNAPSHOT_CONTEXTS] = "contexts.parquet",
	[CP_SNAPSHOT_THREADS] = "threads.parquet",
	[CP_SNAPSHOT_EVENTS] = "events.parquet",
	[CP_SNAPSHOT_QUALITY] = "quality.parquet",
	[CP_SNAPSHOT_CAPTURES] = "captures.parquet",
	[CP_SNAPSHOT_SAMPLES] = "samples.parquet",
};

const char *
cp_snapshot_table_name(enum cp_snapshot_table i)
{
	return names[i];
}

static bool
read_whole(struct cp_archive *a, struct cp_buf *b)
{
	uint8_t some[1 << 14];
	ssize_t n;

	while ((n = cp_archive_read(a, some, sizeof(some))) > 0 && !b->full)
		cp_buf_add(b, some, (size_t)n);
	return n == 0 && !b->full;
}

static bool
read_meta(struct cp_archive *a, struct cp_snapshot_members *m)
{
	struct cp_snapshot_meta meta;
	char head[CP_SNAPSHOT_HEAD];
	ssize_t n = cp_archive_read(a, head, sizeof(head));

	m->snapshot = n > 0 && cp_snapshot_meta(head, (size_t)n, &meta);
	if (m->snapshot)
		m->version = meta.version;
	return m->snapshot;
}

static bool
keep_jit(struct cp_archive *a, const char *name, struct cp_snapshot_members *m)
{
	struct cp_snapshot_jit j = { .name = cp_arena_strndup(
					 &m->arena, name, strlen(name)) };

	if (m->jits.len >= CP_MAX_JITDUMPS)
		return true;
	if (!cp_spool_member(&m->spool, a, NULL, 0, &j.at))
		return false;
	*cp_vec_push(&m->jits) = j;
	return true;
}

static int
table_of(const struct cp_snapshot_members *m, const char *name)
{
	for (int i = 0; i < (int)m->tables; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return -1;
}

static bool
read_member(
    struct cp_archive *a, const char *name, struct cp_snapshot_members *m)
{
	int i = table_of(m, name);

	if (i >= 0 && m->table[i].len == 0) {
		m->at[i] = cp_archive_place(a);
		return read_whole(a, &m->table[i]);
	}
	if (strncmp(name, CP_SNAPSHOT_JIT, strlen(CP_SNAPSHOT_JIT)) == 0)
		return keep_jit(a, name, m);
	return true;
}

/* The tables come after meta.json: no other bundle is read to its end. */
static void
read_members(struct cp_archive *a, struct cp_snapshot_members *m)
{
	struct cp_member at;
	bool whole = true;
	int more = 1;

	for (unsigned n = 0; whole && (more = cp_archive_next(a, &at)) == 1;
	     n++) {
		if (n == 0 && strcmp(at.name, CP_MANIFEST_NAME) == 0)
			whole = read_whole(a, &m->manifest);
		else if (strcmp(at.name, CP_SNAPSHOT_META) == 0)
			whole = read_meta(a, m);
		else if (m->snapshot)
			whole = read_member(a, at.name, m);
		if (n >= 1 && !m->snapshot)
			return;
	}
	m->whole = whole && more == 0;
}

static bool
is_listed(
    const struct cp_manifest *list, const struct cp_buf *b, const char *name)
{
	struct cp_sha256 h;
	char sha[65];

	cp_sha256_init(&h);
	cp_sha256_add(&h, cp_buf_text(b), b->len);
	cp_sha256_hex(&h, sha);
	return cp_manifest_lists(list, sha, name);
}

/* Names of other tables may be wrong. */
void
cp_snapshot_members_check(struct cp_snapshot_members *m)
{
	struct cp_manifest list = { .arena = { 0 } };

	cp_manifest_parse(&list, CP_MANIFEST_MAGIC, cp_buf_text(&m->manifest),
	    m->manifest.len);
	for (unsigned i = 0; i < m->tables; i++)
		if (!is_listed(&list, &m->table[i], names[i]))
			cp_buf_reset(&m->table[i]);
	for (unsigned i = 0; i < m->tables; i++)
		m->gone[i] =
		    m->table[i].len == 0 &&
		    strstr(cp_buf_text(&m->manifest), names[i]) != NULL;
	cp_manifest_free(&list);
}

void
cp_snapshot_members_read(struct cp_snapshot_members *m, int fd, unsigned tables)
{
	struct cp_fd_span span = { .fd = fd, .size = UINT64_MAX };
	struct cp_archive *a = cp_archive_open(cp_fd_span_pull, &span, true);
	struct stat st;
	uint64_t end =
	    fstat(fd, &st) == 0 ? (uint64_t)st.st_size : CP_NO_OFFSET;

	*m = (struct cp_snapshot_members){ .spool = { .fd = -1 },
		.tables = tables };
	cp_buf_init(&m->manifest, CP_MAX_MANIFEST);
	for (int i = 0; i < CP_SNAPSHOT_READ; i++) {
		cp_buf_init(&m->table[i], MAX_FILE);
		m->at[i] = end;
	}
	if (a == NULL)
		return;
	read_members(a, m);
	cp_archive_close(a);
}

void
cp_snapshot_members_shed(struct cp_snapshot_members *m)
{
	cp_buf_free(&m->manifest);
	for (int i = 0; i < CP_SNAPSHOT_READ; i++)
		cp_buf_free(&m->table[i]);
}

void
cp_snapshot_members_free(struct cp_snapshot_members *m)
{
	cp_snapshot_members_shed(m);
	cp_spool_close(&m->spool);
	cp_vec_free(&m->jits);
	cp_arena_free(&m->arena);
}
