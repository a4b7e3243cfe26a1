/* SPDX-License-Identifier: MIT */
#include "symbolize/object/snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/archive/read.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/manifest.h"
#include "base/parquet/parquet.h"
#include "base/strings.h"
#include "symbolize/file-index/content.h"

/* The version that this coldperf writes and knows. */
enum { VERSION = 1 };

/* A table's file, its rows, and what its pages inflate to. */
#define MAX_FILE ((size_t)256 << 20)
#define MAX_ROWS (UINT64_C(16) << 20)
#define MAX_PLAIN (UINT64_C(1) << 30)

enum { OBJECTS, SYMBOLS, FRAMES, SPOTS, TABLES };
static const char *const names[TABLES] = { "objects.parquet", "symbols.parquet",
	"frames.parquet", "spots.parquet" };

struct cp_snapshot {
	struct cp_arena arena;
	CP_VEC(struct cp_snapshot_object) objects;
	CP_VEC(struct cp_snapshot_symbol) symbols;
	CP_VEC(struct cp_snapshot_frame) frames; /* by object and asked */
	CP_VEC(struct cp_snapshot_spot) spots;
};

/* ------------------------------------------------------------- the members */

struct members {
	struct cp_buf manifest, table[TABLES];
	bool snapshot;
	uint64_t version;
};

static bool
read_whole(struct cp_archive *a, struct cp_buf *b)
{
	uint8_t some[1 << 14];
	ssize_t n;

	while ((n = cp_archive_read(a, some, sizeof(some))) > 0 && !b->full)
		cp_buf_add(b, some, (size_t)n);
	return n == 0 && !b->full;
}

static void
read_meta(struct cp_archive *a, struct members *m)
{
	static const char begin[] =
	    "{\"format\":\"coldperf snapshot\",\"version\":";
	char head[80] = "";
	ssize_t n = cp_archive_read(a, head, sizeof(head) - 1);
	size_t size = sizeof(begin) - 1;

	m->snapshot = n > (ssize_t)size && memcmp(head, begin, size) == 0;
	if (m->snapshot)
		m->version = strtoull(head + size, NULL, 10);
}

static int
table_of(const char *name)
{
	for (int i = 0; i < TABLES; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return -1;
}

/* The tables come after meta.json: no other bundle is read to its end. */
static void
read_members(struct cp_archive *a, struct members *m)
{
	struct cp_member at;
	bool whole = true;

	for (unsigned n = 0; whole && cp_archive_next(a, &at) == 1; n++) {
		int i = table_of(at.name);

		if (n == 0 && strcmp(at.name, CP_MANIFEST_NAME) == 0)
			whole = read_whole(a, &m->manifest);
		else if (strcmp(at.name, "meta.json") == 0)
			read_meta(a, m);
		else if (m->snapshot && i >= 0 && m->table[i].len == 0)
			whole = read_whole(a, &m->table[i]);
		if (n >= 1 && !m->snapshot)
			return;
	}
}

/* Drops tables that are not those of the manifest: their names may be wrong. */
static void
check_members(struct members *m)
{
	struct cp_manifest list = { .arena = { 0 } };

	cp_manifest_parse(&list, CP_MANIFEST_MAGIC, cp_buf_text(&m->manifest),
	    m->manifest.len);
	for (int i = 0; i < TABLES; i++) {
		struct cp_sha256 h;
		char sha[65];
		bool same = false;

		cp_sha256_init(&h);
		cp_sha256_add(&h, cp_buf_text(&m->table[i]), m->table[i].len);
		cp_sha256_hex(&h, sha);
		for (size_t k = 0; k < list.lines.len && !same; k++) {
			const struct cp_manifest_line *at = &list.lines.data[k];

			same = at->n == 6 && strcmp(at->field[1], sha) == 0 &&
			       strcmp(at->field[5], names[i]) == 0;
		}
		if (!same)
			cp_buf_reset(&m->table[i]);
	}
	cp_manifest_free(&list);
}

/* -------------------------------------------------------------- the tables */

struct table {
	struct cp_parquet p;
	struct cp_arena *arena;
	bool whole;
};

static bool
open_table(struct table *t, const struct cp_buf *b, struct cp_arena *arena)
{
	t->arena = arena;
	t->whole = b->len != 0 &&
		   cp_parquet_open(
		       &t->p, (const uint8_t *)b->data, b->len, MAX_PLAIN) &&
		   t->p.rows <= MAX_ROWS;
	return t->whole;
}

/* To be freed; zeros if the column is damaged. */
static int64_t *
numbers(struct table *t, const char *name)
{
	int64_t *out = cp_xcalloc((size_t)t->p.rows + 1, sizeof(*out));
	int column = cp_parquet_column(&t->p, name);
	size_t at = 0;

	for (size_t i = 0; i < t->p.groups.len && t->whole; i++) {
		t->whole = cp_parquet_numbers(&t->p, i, column, out + at);
		at += t->p.groups.data[i];
	}
	return out;
}

static const char **
texts(struct table *t, const char *name)
{
	const char **out = cp_xcalloc((size_t)t->p.rows + 1, sizeof(*out));
	int column = cp_parquet_column(&t->p, name);
	size_t at = 0;

	for (size_t i = 0; i < t->p.groups.len && t->whole; i++) {
		t->whole =
		    cp_parquet_texts(&t->p, i, column, t->arena, out + at);
		at += t->p.groups.data[i];
	}
	return out;
}

static void
read_objects(struct cp_snapshot *s, struct table *t)
{
	int64_t *pid = numbers(t, "pid");
	const char **name = texts(t, "name"), **kind = texts(t, "kind"),
		   **id = texts(t, "build_id"), **source = texts(t, "source"),
		   **trust = texts(t, "trust"), **file = texts(t, "file");

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(&s->objects) =
		    (struct cp_snapshot_object){ name[i], kind[i], id[i],
			    source[i], trust[i], file[i], pid[i] };
	free(pid);
	free(name);
	free(kind);
	free(id);
	free(source);
	free(trust);
	free(file);
}

static void
read_symbols(struct cp_snapshot *s, struct table *t)
{
	int64_t *object = numbers(t, "object"), *start = numbers(t, "start"),
		*end = numbers(t, "end");
	const char **name = texts(t, "name"), **raw = texts(t, "raw"),
		   **source = texts(t, "source"), **trust = texts(t, "trust");

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(&s->symbols) =
		    (struct cp_snapshot_symbol){ name[i], raw[i], source[i],
			    trust[i], (uint64_t)start[i], (uint64_t)end[i],
			    object[i] };
	free(object);
	free(start);
	free(end);
	free(name);
	free(raw);
	free(source);
	free(trust);
}

static void
read_frames(struct cp_snapshot *s, struct table *t)
{
	int64_t *object = numbers(t, "object"), *addr = numbers(t, "addr"),
		*flags = numbers(t, "flags");

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(&s->frames) =
		    (struct cp_snapshot_frame){ .object = (uint64_t)object[i],
			    .asked = (uint64_t)addr[i] -
				     ((flags[i] & CP_FRAME_CALLER) != 0),
			    .row = i };
	free(object);
	free(addr);
	free(flags);
}

/* Rows of a frame follow each other; frames are still in their order. */
static void
read_spots(struct cp_snapshot *s, struct table *t)
{
	int64_t *frame = numbers(t, "frame"), *symbol = numbers(t, "symbol"),
		*line = numbers(t, "line"), *column = numbers(t, "column");
	const char **file = texts(t, "file");

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		size_t f = (size_t)frame[i];

		t->whole = f < s->frames.len;
		if (!t->whole)
			break;
		if (s->frames.data[f].spots == 0)
			s->frames.data[f].first_spot = i;
		t->whole =
		    s->frames.data[f].first_spot + s->frames.data[f].spots++ ==
		    i;
		*cp_vec_push(&s->spots) = (struct cp_snapshot_spot){ symbol[i],
			file[i], (uint32_t)line[i], (uint32_t)column[i] };
	}
	free(frame);
	free(symbol);
	free(line);
	free(column);
	free(file);
}

static int
frame_order(const void *va, const void *vb)
{
	const struct cp_snapshot_frame *a = va, *b = vb;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->asked != b->asked)
		return a->asked < b->asked ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static void
drop_spots(struct cp_snapshot *s)
{
	for (size_t i = 0; i < s->frames.len; i++)
		s->frames.data[i].spots = 0;
}

static void
read_tables(struct cp_snapshot *s, const struct members *m, struct cp_diags *d)
{
	static void (*const read[])(struct cp_snapshot *, struct table *) = {
		read_objects, read_symbols, read_frames, read_spots
	};

	for (int i = 0; i < TABLES; i++) {
		struct table t = { .whole = false };

		if (open_table(&t, &m->table[i], &s->arena))
			read[i](s, &t);
		cp_parquet_close(&t.p);
		if (t.whole)
			continue;
		cp_diag(d, CP_D_BAD_SNAPSHOT, "%s", names[i]);
		if (i == SPOTS)
			drop_spots(s);
	}
	if (s->frames.len != 0)
		qsort(s->frames.data, s->frames.len, sizeof(*s->frames.data),
		    frame_order);
}

/* ------------------------------------------------------------------- whole */

struct cp_snapshot *
cp_snapshot_load(const char *path, struct cp_diags *diags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct cp_fd_span span = { .fd = fd, .size = UINT64_MAX };
	struct cp_snapshot *s = NULL;
	struct members m = { .snapshot = false };
	struct cp_archive *a;

	if (fd < 0)
		return NULL;
	cp_buf_init(&m.manifest, CP_MAX_MANIFEST);
	for (int i = 0; i < TABLES; i++)
		cp_buf_init(&m.table[i], MAX_FILE);
	a = cp_archive_open(cp_fd_span_pull, &span, true);
	if (a != NULL) {
		read_members(a, &m);
		cp_archive_close(a);
	}
	close(fd);
	if (m.snapshot)
		s = cp_xcalloc(1, sizeof(*s));
	if (m.snapshot && m.version != VERSION)
		cp_diag(diags, CP_D_BAD_SNAPSHOT,
		    "version %" PRIu64 " is newer than this coldperf knows",
		    m.version);
	else if (m.snapshot) {
		check_members(&m);
		read_tables(s, &m, diags);
	}
	cp_buf_free(&m.manifest);
	for (int i = 0; i < TABLES; i++)
		cp_buf_free(&m.table[i]);
	return s;
}

void
cp_snapshot_free(struct cp_snapshot *s)
{
	if (s == NULL)
		return;
	cp_vec_free(&s->objects);
	cp_vec_free(&s->symbols);
	cp_vec_free(&s->frames);
	cp_vec_free(&s->spots);
	cp_arena_free(&s->arena);
	free(s);
}

static const char *const kinds[] = {
#define CP_KIND_WORD(id, word) [CP_DSO_##id] = (word),
#include <coldperf/words.def>
};

size_t
cp_snapshot_find(
    const struct cp_snapshot *s, const struct cp_dso *d, const char *name)
{
	char id[2 * sizeof(d->build_id) + 1] = "";

	cp_hex_of(id, d->build_id, d->build_id_size);
	for (size_t i = 1; i < s->objects.len; i++) {
		const struct cp_snapshot_object *o = &s->objects.data[i];

		if (strcmp(o->name, name) == 0 &&
		    strcmp(o->build_id, id) == 0 &&
		    strcmp(o->kind, kinds[d->kind]) == 0 &&
		    (d->kind != CP_DSO_ANON || o->pid == (int32_t)d->pid))
			return i;
	}
	return 0;
}

const struct cp_snapshot_object *
cp_snapshot_object(const struct cp_snapshot *s, size_t row)
{
	return &s->objects.data[row];
}

size_t
cp_snapshot_symbols(
    const struct cp_snapshot *s, const struct cp_snapshot_symbol **out)
{
	*out = s->symbols.data;
	return s->symbols.len;
}

const struct cp_snapshot_frame *
cp_snapshot_frame(const struct cp_snapshot *s, size_t object, uint64_t asked)
{
	size_t low = 0, high = s->frames.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct cp_snapshot_frame *f = &s->frames.data[mid];

		if (f->object < object ||
		    (f->object == object && f->asked < asked))
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->frames.len && s->frames.data[low].object == object &&
		       s->frames.data[low].asked == asked
		   ? &s->frames.data[low]
		   : NULL;
}

const struct cp_snapshot_spot *
cp_snapshot_spot(const struct cp_snapshot *s, size_t number)
{
	return &s->spots.data[number];
}

static const char *const sources[] = {
	[CP_SOURCE_NONE] = "",
#define CP_SOURCE_WORD(id, word) [CP_SOURCE_##id] = (word),
#include <coldperf/words.def>
};

enum cp_source
cp_snapshot_source(const char *word)
{
	for (unsigned i = 0; i < CP_ARRAY_LEN(sources); i++)
		if (sources[i] != NULL && strcmp(word, sources[i]) == 0)
			return (enum cp_source)i;
	return CP_SOURCE_NONE;
}

enum cp_trust
cp_snapshot_trust(const char *word)
{
	static const char *const trusts[] = { [CP_TRUST_VERIFIED] = "verified",
		[CP_TRUST_ABSENT] = "absent",
		[CP_TRUST_MISMATCH] = "mismatch",
		[CP_TRUST_RECORDED] = "recorded" };

	for (unsigned i = 0; i < CP_ARRAY_LEN(trusts); i++)
		if (trusts[i] != NULL && strcmp(word, trusts[i]) == 0)
			return (enum cp_trust)i;
	return CP_TRUST_NONE;
}
