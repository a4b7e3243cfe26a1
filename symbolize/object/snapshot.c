/* SPDX-License-Identifier: MIT */
#include "symbolize/object/snapshot.h"

#include "base/parquet/columns.h"
#include "base/snapshot-columns.h"
#include "base/snapshot-meta.h"
#include "base/strings.h"
#include "symbolize/file-index/content.h"
#include "symbolize/object/snapshot-lost.h"
#include "symbolize/object/snapshot-members.h"
#include "symbolize/object/symbol-columns.h"

/* The version that this coldperf writes and knows. */
enum { VERSION = 1 };

struct cp_snapshot {
	struct cp_snapshot_members members;
	struct cp_arena arena;
	CP_VEC(struct cp_snapshot_object) objects;
	CP_VEC(struct cp_snapshot_symbol) symbols;
	CP_VEC(struct cp_snapshot_frame) frames; /* by object and asked */
	CP_VEC(struct cp_snapshot_spot) spots;
	cp_snapshot_losses lost;
	bool marks; /* some frame stands for a lost caller */
};

/* -------------------------------------------------------------- the tables */

static void
read_objects(struct cp_snapshot *s, struct cp_columns *t)
{
	int64_t *pid = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(objects, pid)),
		*symbols =
		    cp_columns_later(t, CP_SNAPSHOT_NUMBER(objects, symbols)),
		*found =
		    cp_columns_later(t, CP_SNAPSHOT_NUMBER(objects, found));
	const char *
	    *name = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, name)),
	   **kind = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, kind)),
	   **id = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, build_id)),
	   **source = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, source)),
	   **trust = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, trust)),
	   **file = cp_columns_texts(t, CP_SNAPSHOT_TEXT(objects, file)),
	   **reason =
	       cp_columns_later_texts(t, CP_SNAPSHOT_TEXT(objects, reason));

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(&s->objects) =
		    (struct cp_snapshot_object){ name[i], kind[i], id[i],
			    source[i], trust[i], file[i], reason[i], pid[i],
			    found[i], (uint64_t)symbols[i] };
}

static void
read_symbols(struct cp_snapshot *s, struct cp_columns *t)
{
	struct cp_symbol_columns c = cp_symbol_columns_of(t);

	for (size_t i = 0; i < t->p.rows && t->whole; i++)
		*cp_vec_push(
		    &s->symbols) = (struct cp_snapshot_symbol){ c.name[i],
			c.raw[i], c.source[i], c.trust[i], c.label[i],
			(uint64_t)c.start[i], (uint64_t)c.end[i], c.object[i] };
}

static void
read_frames(struct cp_snapshot *s, struct cp_columns *t)
{
	int64_t *object =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, object)),
		*addr = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, addr)),
		*flags =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, flags)),
		*vaddr =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, vaddr)),
		*symbol =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(frames, symbol));

	for (size_t i = 0; i < t->p.rows && t->whole; i++) {
		s->marks |= (flags[i] & CP_FRAME_LOST) != 0;
		*cp_vec_push(&s->frames) =
		    (struct cp_snapshot_frame){ .object = (uint64_t)object[i],
			    .asked = (uint64_t)addr[i] -
				     ((flags[i] & CP_FRAME_CALLER) != 0),
			    .addr = (uint64_t)addr[i],
			    .vaddr = (uint64_t)vaddr[i],
			    .symbol = symbol[i],
			    .flags = (uint8_t)flags[i],
			    .row = i };
	}
}

/* Rows of a frame follow each other; frames are still in their order. */
static void
read_spots(struct cp_snapshot *s, struct cp_columns *t)
{
	int64_t *frame =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, frame)),
		*symbol =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, symbol)),
		*line = cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, line)),
		*column =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(spots, column));
	const char **file = cp_columns_texts(t, CP_SNAPSHOT_TEXT(spots, file));

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
}

/*
 * Finds where a frame stands for a lost caller: between which two.  A parent
 * comes before its children; frames are still in their order.
 */
static void
read_stacks(struct cp_snapshot *s, struct cp_columns *t)
{
	int64_t *parent =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(stacks, parent)),
		*frame =
		    cp_columns_numbers(t, CP_SNAPSHOT_NUMBER(stacks, frame));
	const struct cp_snapshot_frame *f, *up, *over;

	for (size_t i = 1; i < t->p.rows && t->whole; i++) {
		t->whole = (uint64_t)parent[i] < i &&
			   (uint64_t)frame[i] < s->frames.len;
		if (!t->whole || parent[i] == 0)
			continue;
		f = &s->frames.data[frame[i]];
		up = &s->frames.data[frame[parent[i]]];
		if ((up->flags & CP_FRAME_LOST) == 0)
			continue;
		over = parent[parent[i]] != 0
			   ? &s->frames.data[frame[parent[parent[i]]]]
			   : &s->frames.data[0];
		*cp_vec_push(&s->lost) =
		    (struct cp_snapshot_lost){ .below = { f->object, f->addr },
			    .above = { over->object, over->addr },
			    .frame = { up->object, up->addr },
			    .flags = up->flags };
	}
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
read_tables(struct cp_snapshot *s, struct cp_diags *d)
{
	static void (*const read[])(struct cp_snapshot *,
	    struct cp_columns *) = { [CP_SNAPSHOT_OBJECTS] = read_objects,
		[CP_SNAPSHOT_SYMBOLS] = read_symbols,
		[CP_SNAPSHOT_FRAMES] = read_frames,
		[CP_SNAPSHOT_SPOTS] = read_spots,
		[CP_SNAPSHOT_STACKS] = read_stacks };

	for (unsigned i = 0; i < CP_SNAPSHOT_NAMING; i++) {
		struct cp_columns t;

		if (i == CP_SNAPSHOT_STACKS && !s->marks)
			continue;
		if (cp_columns_open(&t, &s->members.table[i], &s->arena))
			read[i](s, &t);
		cp_columns_close(&t);
		if (t.whole)
			continue;
		cp_diag_at(d, CP_D_BAD_SNAPSHOT, s->members.at[i], "%s",
		    cp_snapshot_table_name(i));
		if (i == CP_SNAPSHOT_SPOTS)
			drop_spots(s);
	}
	if (s->frames.len != 0)
		qsort(s->frames.data, s->frames.len, sizeof(*s->frames.data),
		    frame_order);
	cp_snapshot_lost_sort(&s->lost);
}

/* ------------------------------------------------------------------- whole */

struct cp_snapshot *
cp_snapshot_load(int fd, struct cp_diags *diags)
{
	struct cp_snapshot_members m;

	cp_snapshot_members_read(&m, fd, CP_SNAPSHOT_NAMING);
	cp_snapshot_members_check(&m);
	return cp_snapshot_of(&m, diags);
}

struct cp_snapshot *
cp_snapshot_of(struct cp_snapshot_members *m, struct cp_diags *diags)
{
	struct cp_snapshot *s;

	if (!m->snapshot) {
		cp_snapshot_members_free(m);
		return NULL;
	}
	s = cp_xcalloc(1, sizeof(*s));
	s->members = *m;
	if (m->version == VERSION)
		read_tables(s, diags);
	else
		cp_diag(diags, CP_D_BAD_SNAPSHOT,
		    "version %" PRIu64 " is newer than this coldperf knows",
		    m->version);
	cp_snapshot_members_shed(&s->members);
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
	cp_vec_free(&s->lost);
	cp_snapshot_members_free(&s->members);
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
		    ((d->kind != CP_DSO_ANON && d->kind != CP_DSO_JIT) ||
			o->pid == (int32_t)d->pid))
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

/* The number of the first frame that is not before the address. */
static size_t
first_frame(const struct cp_snapshot *s, size_t object, uint64_t asked)
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
	return low;
}

bool
cp_snapshot_lines(const struct cp_snapshot *s, size_t object)
{
	for (size_t i = first_frame(s, object, 0);
	     i < s->frames.len && s->frames.data[i].object == object; i++)
		if (s->frames.data[i].spots != 0)
			return true;
	return false;
}

const struct cp_snapshot_frame *
cp_snapshot_frame(const struct cp_snapshot *s, size_t object, uint64_t asked)
{
	size_t low = first_frame(s, object, asked);

	return low < s->frames.len && s->frames.data[low].object == object &&
		       s->frames.data[low].asked == asked
		   ? &s->frames.data[low]
		   : NULL;
}

const struct cp_snapshot_frame *
cp_snapshot_frame_at(const struct cp_snapshot *s, size_t object, uint64_t addr)
{
	const struct cp_snapshot_frame *f = cp_snapshot_frame(s, object, addr);

	return f != NULL || addr == 0 ? f
				      : cp_snapshot_frame(s, object, addr - 1);
}

bool
cp_snapshot_vaddr(
    const struct cp_snapshot *s, size_t object, uint64_t addr, uint64_t *vaddr)
{
	const struct cp_snapshot_frame *f =
	    cp_snapshot_frame_at(s, object, addr);

	if (f == NULL || f->vaddr == UINT64_MAX)
		return false;
	*vaddr = f->vaddr + (addr - f->addr);
	return true;
}

const struct cp_snapshot_lost *
cp_snapshot_lost(const struct cp_snapshot *s, struct cp_snapshot_place below,
    const struct cp_snapshot_place *above)
{
	return cp_snapshot_lost_find(&s->lost, below, above);
}

const struct cp_snapshot_spot *
cp_snapshot_spot(const struct cp_snapshot *s, size_t number)
{
	return &s->spots.data[number];
}

bool
cp_snapshot_jitdump(const struct cp_snapshot *s, uint32_t pid,
    const char *recorded, struct cp_content *out)
{
	const struct cp_snapshot_members *m = &s->members;
	char name[96];

	snprintf(name, sizeof(name), CP_SNAPSHOT_JIT "%" PRIu32 "-%s.zst", pid,
	    cp_basename(recorded));
	for (size_t i = 0; i < m->jits.len; i++) {
		const struct cp_snapshot_jit *j = &m->jits.data[i];

		if (strcmp(j->name, name) == 0)
			return cp_fd_span_inflate(
			    (struct cp_fd_span){
				m->spool.fd, j->at.offset, j->at.size },
			    out);
	}
	return false;
}

const char *
cp_snapshot_jit_file(
    const struct cp_snapshot *s, uint32_t pid, const char *recorded)
{
	for (size_t i = 1; i < s->objects.len; i++) {
		const struct cp_snapshot_object *o = &s->objects.data[i];

		if (strcmp(o->kind, kinds[CP_DSO_JIT]) == 0 &&
		    o->pid == (int32_t)pid && strcmp(o->name, recorded) == 0)
			return o->file;
	}
	return recorded;
}

static int
word_of(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (words[i] != NULL && strcmp(word, words[i]) == 0)
			return (int)i;
	return 0;
}

enum cp_dso_kind
cp_snapshot_kind(const char *word)
{
	return (enum cp_dso_kind)word_of(kinds, CP_ARRAY_LEN(kinds), word);
}

enum cp_level
cp_snapshot_level(const char *word)
{
	static const char *const levels[] = { [CP_LEVEL_KERNEL] = "kernel",
		[CP_LEVEL_USER] = "user",
		[CP_LEVEL_HYPERVISOR] = "hypervisor",
		[CP_LEVEL_GUEST_KERNEL] = "guest kernel",
		[CP_LEVEL_GUEST_USER] = "guest user" };

	return (enum cp_level)word_of(levels, CP_ARRAY_LEN(levels), word);
}

static const char *const sources[] = {
	[CP_SOURCE_NONE] = "",
#define CP_SOURCE_WORD(id, word) [CP_SOURCE_##id] = (word),
#include <coldperf/words.def>
};

enum cp_source
cp_snapshot_source(const char *word)
{
	return (enum cp_source)word_of(sources, CP_ARRAY_LEN(sources), word);
}

enum cp_trust
cp_snapshot_trust(const char *word)
{
	static const char *const trusts[] = { [CP_TRUST_VERIFIED] = "verified",
		[CP_TRUST_ABSENT] = "absent",
		[CP_TRUST_MISMATCH] = "mismatch",
		[CP_TRUST_RECORDED] = "recorded" };

	return (enum cp_trust)word_of(trusts, CP_ARRAY_LEN(trusts), word);
}

enum cp_unwind_end
cp_snapshot_end(const char *word)
{
	static const char *const ends[] = {
		[CP_UNWIND_NONE] = "",
#define CP_END_WORD(id, word) [CP_UNWIND_##id] = (word),
#include <coldperf/words.def>
	};

	return (enum cp_unwind_end)word_of(ends, CP_ARRAY_LEN(ends), word);
}
