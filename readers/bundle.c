/* SPDX-License-Identifier: MIT */
/*
 * bundle: a capture inside a tar file, or compressed by itself.
 *
 * The first perf.data among the members is copied to an unlinked temporary file
 * and read like any other; a large one is kept for the next run.  The files of
 * a directory capture are copied to a temporary folder of our own, under names
 * that we make; the folder is removed as soon as they are open.  The other
 * members of the bundle are for symbolize/.
 */
#define _GNU_SOURCE /* memrchr */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive/spool.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/manifest.h"
#include "base/retry.h"
#include "base/snapshot-meta.h"
#include "base/strings.h"
#include "readers/capture-cache.h"
#include "readers/header/magic.h"
#include "readers/labels.h"
#include "readers/reader.h"

struct bundle {
	struct cp_capture *c;
	struct cp_archive *a;
	struct cp_spool one; /* a capture in one file */
	char path[PATH_MAX]; /* the temporary folder */
	int folder;          /* -1: none */
	int lacking;         /* errno that says why there is no folder */
	/* folder inside the archive that holds the members */
	char parent[256];
	CP_VEC(long) parts; /* N of each data.N; -1 stands for data */
	bool data;
	struct cp_buf manifest;
	/* it is a snapshot: tables, and the capture compressed */
	bool snapshot;
	bool records; /* of a snapshot: they were there, perhaps damaged */
};

static int
bundle_bid(const struct cp_input *in)
{
	const uint8_t *h = in->head;
	size_t n = in->head_len;

	return !in->directory &&
		       (cp_archive_bid(h, n) || cp_archive_is_package(h, n))
		   ? 3
		   : 0;
}

static ssize_t
pull(void *ctx, void *buf, size_t n, uint64_t offset)
{
	struct cp_input *in = ctx;

	if (in->seekable || offset >= in->head_len)
		return cp_input_read(in, buf, n, offset);
	n = CP_MIN(n, in->head_len - (size_t)offset);
	memcpy(buf, in->head + offset, n);
	return (ssize_t)n;
}

/* ---------------------------------------------------- directory captures */

/* Returns the N of "data.N", -1 for "data" and -2 for any other name. */
static long
part_number(const char *name)
{
	const char *s = cp_basename(name);
	char *end;
	long n;

	if (strcmp(s, "data") == 0)
		return -1;
	if (strncmp(s, "data.", 5) != 0 || s[5] < '0' || s[5] > '9')
		return -2;
	n = strtol(s + 5, &end, 10);
	return *end == '\0' && n <= INT32_MAX ? n : -2;
}

static bool
make_folder(struct bundle *b)
{
	const char *dir[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };

	for (size_t i = 0; i < CP_ARRAY_LEN(dir) && b->folder < 0; i++) {
		int n = snprintf(b->path, sizeof(b->path), "%s/coldperf-XXXXXX",
		    dir[i] != NULL ? dir[i] : "");

		if (b->path[0] == '/' && (size_t)n < sizeof(b->path) &&
		    dir[i] != NULL && mkdtemp(b->path) != NULL)
			b->folder =
			    open(b->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	b->lacking = b->folder < 0 ? errno : 0;
	return b->folder >= 0;
}

static void
part_path(char out[32], long n)
{
	if (n < 0)
		snprintf(out, 32, "data");
	else
		snprintf(out, 32, "data.%ld", n);
}

/* Accepts members of one folder: that of the first member accepted. */
static bool
belongs(struct bundle *b, const char *name)
{
	size_t n = (size_t)(cp_basename(name) - name);

	if (b->parts.len >= CP_MAX_DATA_FILES || n >= sizeof(b->parent))
		return false;
	if (b->parts.len == 0) {
		memcpy(b->parent, name, n);
		b->parent[n] = '\0';
	}
	return strncmp(b->parent, name, n) == 0 && b->parent[n] == '\0';
}

static void
keep_part(struct bundle *b, const char *name, const void *head, size_t n)
{
	long number = part_number(name);
	struct cp_spool s = { .fd = -1 };
	struct cp_spooled at;
	char path[32];

	if (!belongs(b, name) || (b->folder < 0 && !make_folder(b)))
		return;
	part_path(path, number);
	s.fd = openat(b->folder, path,
	    O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s.fd < 0)
		return;
	*cp_vec_push(&b->parts) = number;
	b->data |= number < 0;
	/* A truncated member is still read; the archive reports the reason. */
	if (!cp_spool_member(&s, b->a, head, n, &at) && number < 0)
		b->data = at.size != 0;
	cp_spool_close(&s);
}

static void
drop_folder(struct bundle *b)
{
	char path[32];

	if (b->folder < 0)
		return;
	for (size_t i = 0; i < b->parts.len; i++) {
		part_path(path, b->parts.data[i]);
		unlinkat(b->folder, path, 0);
	}
	close(b->folder);
	rmdir(b->path);
}

/* ---------------------------------------------------------------- members */

static void
read_meta(
    struct bundle *b, const struct cp_member *m, const uint8_t *head, size_t n)
{
	struct cp_snapshot_meta meta;

	if (m->packed || strcmp(m->name, CP_SNAPSHOT_META) != 0 ||
	    !cp_snapshot_meta(head, n, &meta))
		return;
	b->snapshot = true;
	if (meta.bytes_parsed > meta.bytes_total)
		return;
	b->c->was = meta;
	b->c->diags->at_rewritten = meta.bytes_total != 0;
}

static ssize_t
pull_spooled(void *fd, void *buf, size_t n, uint64_t offset)
{
	return cp_pread(*(int *)fd, buf, n, (off_t)offset);
}

static void
say_why(struct bundle *b, bool found)
{
	const char *limit = cp_archive_limit(b->a);

	if (limit != NULL)
		cp_diag(b->c->diags, CP_D_LIMIT, "%s: %s", limit,
		    cp_archive_why(b->a));
	else
		cp_diag_at(b->c->diags,
		    found && b->c->in.error == 0 ? CP_D_TRUNCATED : CP_D_READ,
		    cp_archive_place(b->a), "the bundle: %s",
		    cp_archive_why(b->a));
}

static int read_member(struct bundle *b);

/*
 * Inflates the files of a directory capture, which are a tar file inside the
 * snapshot.
 */
static void
inflate_folder(struct bundle *b, struct cp_archive *inner)
{
	struct cp_archive *outer = b->a;
	int r = 1;

	b->a = inner;
	b->snapshot = false;
	while (r == 1)
		r = read_member(b);
	if (r < 0)
		say_why(b, b->data);
	b->a = outer;
	b->snapshot = true;
}

static void
inflate_file(struct bundle *b, struct cp_archive *inner)
{
	uint8_t first[CP_INPUT_HEAD];
	struct cp_spooled at;
	struct cp_member m;
	ssize_t got = -1;

	if (cp_archive_next(inner, &m) == 1 && m.packed)
		got = cp_archive_read(inner, first, sizeof(first));
	if (got > 0 && cp_magic_read(first, (size_t)got).valid &&
	    !cp_spool_member(&b->one, inner, first, (size_t)got, &at))
		cp_diag(b->c->diags, CP_D_TRUNCATED, "%s: %s",
		    CP_SNAPSHOT_RECORDS, cp_archive_why(inner));
}

/* Does the manifest list a member of that SHA-256 (NULL: any)? */
static bool
lists(const struct bundle *b, const char *sha, const char *name)
{
	struct cp_manifest list = { .arena = { 0 } };
	bool listed;

	cp_manifest_parse(&list, CP_MANIFEST_MAGIC, cp_buf_text(&b->manifest),
	    b->manifest.len);
	listed = cp_manifest_lists(&list, sha, name);
	cp_manifest_free(&list);
	return listed;
}

/* Are these the bytes that the manifest lists? */
static bool
is_listed(const struct bundle *b, const char *name, int fd)
{
	uint8_t some[1 << 16];
	struct cp_sha256 h;
	uint64_t at = 0;
	char sha[65];
	ssize_t n;

	cp_sha256_init(&h);
	while ((n = cp_pread(fd, some, sizeof(some), (off_t)at)) > 0) {
		cp_sha256_add(&h, some, (size_t)n);
		at += (uint64_t)n;
	}
	cp_sha256_hex(&h, sha);
	return lists(b, sha, name);
}

/*
 * Inflates a snapshot's capture, which is a compressed file; other compressed
 * members are ignored.  A damaged one is read as far as possible.
 */
static int
inflate_capture(struct bundle *b, bool folder, const void *head, size_t n)
{
	const char *name = folder ? CP_SNAPSHOT_FOLDER : CP_SNAPSHOT_RECORDS;
	struct cp_spool packed = { .fd = -1 };
	struct cp_archive *inner = NULL;
	struct cp_spooled at;
	bool whole = cp_spool_member(&packed, b->a, head, n, &at);

	b->records = true;
	if (!whole || !is_listed(b, name, packed.fd))
		cp_diag_at(b->c->diags, CP_D_BAD_SNAPSHOT,
		    cp_archive_place(b->a), "%s: %s", name,
		    whole ? "it is not the one that the manifest lists"
			  : cp_archive_why(b->a));
	if (at.size != 0)
		inner = cp_archive_open(pull_spooled, &packed.fd, true);
	if (inner != NULL && folder)
		inflate_folder(b, inner);
	else if (inner != NULL)
		inflate_file(b, inner);
	if (inner != NULL)
		cp_archive_close(inner);
	cp_spool_close(&packed);
	return b->one.fd >= 0 || b->data ? 0 : 1;
}

/* Returns 1 if more members may follow. */
static int
read_member(struct bundle *b)
{
	uint8_t head[CP_INPUT_HEAD];
	struct cp_spooled at;
	struct cp_member m;
	int r = cp_archive_next(b->a, &m);
	bool magic, folder;
	ssize_t n;

	if (r != 1 || m.kind != CP_MEMBER_FILE)
		return r;
	n = cp_archive_read(b->a, head, sizeof(head));
	if (n <= 0)
		return n == 0 ? 1 : -1;
	magic = cp_magic_read(head, (size_t)n).valid;
	if (!m.packed && part_number(m.name) != -2 &&
	    (magic || part_number(m.name) >= 0)) {
		keep_part(b, m.name, head, (size_t)n);
		return 1;
	}
	if (strcmp(m.name, CP_MANIFEST_NAME) == 0 && b->manifest.len == 0)
		cp_labels_manifest(b->a, head, (size_t)n, &b->manifest);
	read_meta(b, &m, head, (size_t)n);
	folder = strcmp(m.name, CP_SNAPSHOT_FOLDER) == 0;
	if (b->snapshot && (folder || strcmp(m.name, CP_SNAPSHOT_RECORDS) == 0))
		return inflate_capture(b, folder, head, (size_t)n);
	/* A compressed file may be a profile of another tool. */
	if (!magic &&
	    !(m.packed && cp_profile_bid(head, (size_t)n) != CP_PROFILE_NONE))
		return 1;
	if (!cp_spool_member(&b->one, b->a, head, (size_t)n, &at))
		return -1;
	if (b->c->keeps)
		cp_kept_put(&b->c->in, b->one.fd, at.size);
	return 0;
}

/* Continues to read from fd; size 0 means up to its end. */
static int
go_on(struct cp_capture *c, int fd, uint64_t size)
{
	const char *path = c->in.path;
	int status;

	if (fd < 0) {
		cp_diag(c->diags, CP_D_READ, "%s", strerror(errno));
		return CP_FAIL;
	}
	cp_input_close(&c->in);
	status = cp_input_adopt(&c->in, fd, path, c->diags);
	if (status != CP_OK)
		return status;
	if (size != 0)
		c->in.size = size;
	return cp_capture_start(c);
}

/* The records that the manifest lists; NULL: the snapshot was made without. */
static const char *
records_listed(const struct bundle *b)
{
	if (lists(b, NULL, CP_SNAPSHOT_FOLDER))
		return CP_SNAPSHOT_FOLDER;
	return lists(b, NULL, CP_SNAPSHOT_RECORDS) ? CP_SNAPSHOT_RECORDS : NULL;
}

static void
say_none(const struct bundle *b)
{
	struct cp_diags *d = b->c->diags;

	if (b->lacking != 0)
		cp_diag(d, CP_D_READ, "no temporary folder: %s",
		    strerror(b->lacking));
	else if (b->snapshot && lists(b, NULL, CP_SNAPSHOT_META))
		cp_diag(d, CP_D_ONLY_TABLES,
		    "report, flame, hotspots, quality, unwind, profile, sql, "
		    "diff "
		    "and merge read its samples; give others the capture, "
		    "or a snapshot of it without filters");
	else
		cp_no_capture(&b->c->in, d, "no capture in the bundle");
}

static int
open_found(struct bundle *b)
{
	if (b->one.fd >= 0)
		return go_on(b->c, b->one.fd, 0);
	if (b->data)
		return go_on(b->c, fcntl(b->folder, F_DUPFD_CLOEXEC, 3), 0);
	if (b->lacking == 0) {
		/*
		 * Says which member of a snapshot is not there, if it is cut
		 * before it.
		 */
		const char *name =
		    b->snapshot ? records_listed(b) : CP_SNAPSHOT_META;

		if (name != NULL && lists(b, NULL, name) && !b->records)
			cp_diag_at(b->c->diags, CP_D_BAD_SNAPSHOT,
			    b->c->in.seekable ? b->c->in.size : CP_NO_OFFSET,
			    "%s: the file ends before it", name);
	}
	/* Records that are cut off or damaged: their samples are in tables. */
	if (b->c->takes_tables && b->c->snapshot > 0 && b->lacking == 0 &&
	    lists(b, NULL, CP_SNAPSHOT_META)) {
		b->c->only_tables = true;
		return CP_OK;
	}
	say_none(b);
	return CP_FAIL;
}

/*
 * Keeps a stream that may be a snapshot in a file: its tables come after the
 * records, at which the reading of a bundle ends.
 */
static int
keep_stream(struct cp_input *in, struct cp_diags *diags)
{
	const size_t n = sizeof(CP_MANIFEST_NAME);

	if (in->seekable || in->head_len < n ||
	    memcmp(in->head, CP_MANIFEST_NAME, n) != 0)
		return CP_OK;
	return cp_input_spool(in, diags);
}

static int
bundle_open(struct cp_capture *c)
{
	struct bundle b = { .c = c, .one = { .fd = -1 }, .folder = -1 };
	int r, status, kept = -1;
	uint64_t size = 0;

	c->keeps &= c->in.seekable; /* only a file can be opened again */
	if (c->keeps)
		kept = cp_kept_open(&c->in, &size);
	cp_buf_init(&b.manifest, CP_MAX_MANIFEST);
	if (kept >= 0) {
		cp_labels_first(pull, &c->in, &b.manifest);
		status = go_on(c, kept, size);
		goto opened;
	}
	if (keep_stream(&c->in, c->diags) != CP_OK)
		return CP_FAIL;
	b.a = cp_archive_open(pull, &c->in, c->in.seekable);
	if (b.a == NULL) {
		cp_diag(c->diags, CP_D_OPEN,
		    "a bundle, and libarchive is not installed");
		return CP_FAIL;
	}
	if (c->in.seekable)
		cp_archive_expect(b.a, c->in.size);
	while ((r = read_member(&b)) == 1)
		;
	if (r < 0)
		say_why(&b, b.one.fd >= 0 || b.data);
	cp_archive_close(b.a);
	if (b.snapshot && c->in.seekable)
		c->snapshot = fcntl(c->in.fd, F_DUPFD_CLOEXEC, 3);
	status = open_found(&b);
opened:
	if (status == CP_OK)
		cp_labels_take(&b.manifest, &c->rec->info);
	drop_folder(&b);
	cp_vec_free(&b.parts);
	cp_buf_free(&b.manifest);
	return status;
}

/* This reader delivers no events: open() hands over to another reader. */
const struct cp_reader cp_reader_bundle = {
	.name = "bundle",
	.bid = bundle_bid,
	.open = bundle_open,
};
