/* SPDX-License-Identifier: MIT */
/*
 * Layout of the file: a header; ascending addresses; for each address the index
 * of its first frame (one more at the end); frames; for each text its offset
 * (one more at the end); texts.
 *
 * All words have 32 bits, except addresses.  A CRC covers everything after the
 * header.  Frames refer to texts by index, so that each text is copied once.
 */
#include "symbolize/inlines/inline-cache.h"

#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/digest.h"
#include "base/disk-cache.h"
#include "base/limits.h"

#define MAGIC "cpinl03"
#define ORDER 0x01020304u
#define LINKAGE 1u

struct header {
	char magic[8];
	uint32_t order, addrs, frames, texts; /* number of entries */
	uint32_t bytes, zero;                 /* bytes of all texts */
	uint64_t crc;
};

struct stored {
	uint32_t name, file; /* indexes of texts; text 0 is empty */
	uint32_t line, column, flags;
};

struct added {
	uint64_t addr;
	uint32_t first, n; /* range in frames */
};

struct cp_inlcache {
	char *path;
	struct cp_content file;
	struct header head; /* all counts are 0 if the file is unusable */
	const uint8_t *addrs, *firsts, *frames, *offsets, *texts;
	size_t at;         /* expected position of the next look-up */
	cp_string_id *ids; /* by index of the text; 0: not copied yet */
	const struct cp_strings *ids_of;
	CP_VEC(struct added) added;
	CP_VEC(struct cp_dwarf_frame) added_frames;
	struct cp_strings added_texts;
};

static void
add_origin(struct cp_sha256 *sum, const struct cp_origin *o)
{
	const uint64_t word[] = { o->device, o->inode, o->size, o->modified[0],
		o->modified[1], o->changed[0], o->changed[1], o->offset };

	cp_sha256_add(sum, word, sizeof(word));
}

char *
cp_inlcache_path(
    const uint8_t *id, size_t size, const struct cp_origin *from, size_t n)
{
	char *folder = size >= 4 ? cp_cachefile_in("inlines") : NULL;
	struct cp_sha256 sum;
	struct cp_buf b;
	char hex[65];

	if (folder == NULL)
		return NULL;
	cp_sha256_init(&sum);
	cp_sha256_add(&sum, id, size);
	for (size_t i = 0; i < n; i++)
		add_origin(&sum, &from[i]);
	cp_sha256_hex(&sum, hex);
	cp_buf_init(&b, 4096);
	cp_buf_printf(&b, "%s/%.2s/%s", folder, hex, hex + 2);
	free(folder);
	if (!b.full)
		return b.data;
	cp_buf_free(&b);
	return NULL;
}

/* ------------------------------------------------------------- reading */

static bool
is_sound(struct cp_inlcache *c)
{
	struct header h;
	const uint8_t *body = c->file.data + sizeof(h);
	uint64_t size;

	if (c->file.size < sizeof(h))
		return false;
	memcpy(&h, c->file.data, sizeof(h));
	size = (uint64_t)h.addrs * 8 + ((uint64_t)h.addrs + 1) * 4 +
	       (uint64_t)h.frames * sizeof(struct stored) +
	       ((uint64_t)h.texts + 1) * 4 + h.bytes;
	if (memcmp(h.magic, MAGIC, sizeof(h.magic)) != 0 || h.order != ORDER ||
	    h.zero != 0 || size != c->file.size - sizeof(h) ||
	    lzma_crc64(body, size, 0) != h.crc)
		return false;
	c->head = h;
	c->addrs = body;
	c->firsts = c->addrs + (size_t)h.addrs * 8;
	c->frames = c->firsts + ((size_t)h.addrs + 1) * 4;
	c->offsets = c->frames + h.frames * sizeof(struct stored);
	c->texts = c->offsets + ((size_t)h.texts + 1) * 4;
	c->ids = cp_xcalloc((size_t)h.texts + 1, sizeof(*c->ids));
	return true;
}

struct cp_inlcache *
cp_inlcache_of(struct cp_content file)
{
	struct cp_inlcache *c = cp_xcalloc(1, sizeof(*c));

	c->file = file;
	if (file.data != NULL && !is_sound(c))
		cp_content_free(&c->file);
	return c;
}

struct cp_inlcache *
cp_inlcache_open(char *path)
{
	const struct timespec now[2] = { { .tv_nsec = UTIME_NOW },
		{ .tv_nsec = UTIME_OMIT } };
	int fd = cp_objfile_open(path);
	struct cp_content file = { 0 };
	struct cp_inlcache *c;

	/* A mapping is safe: the file is only replaced as a whole. */
	if (fd >= 0 && !cp_objfile_map(fd, &file))
		file = (struct cp_content){ 0 };
	if (fd >= 0) {
		/*
		 * Marks the last use for trimming: many file systems do not
		 * record reads.
		 */
		(void)futimens(fd, now);
		close(fd);
	}
	c = cp_inlcache_of(file);
	c->path = path;
	return c;
}

static uint64_t
addr_at(const struct cp_inlcache *c, size_t i)
{
	return cp_load64(c->addrs + 8 * i, false);
}

/* Finds the frames of address i.  False if the range is damaged. */
static bool
frames_at(const struct cp_inlcache *c, size_t i, uint32_t *first, uint32_t *n)
{
	uint32_t end = cp_load32(c->firsts + 4 * (i + 1), false);

	*first = cp_load32(c->firsts + 4 * i, false);
	*n = end - *first;
	return *first <= end && end <= c->head.frames &&
	       *n <= CP_MAX_INLINED + 1;
}

static struct stored
stored_at(const struct cp_inlcache *c, uint32_t i)
{
	struct stored s;

	memcpy(&s, c->frames + i * sizeof(s), sizeof(s));
	return s;
}

/* Adds a text; a damaged one becomes the empty text. */
static cp_string_id
add_text(struct cp_inlcache *c, struct cp_strings *texts, uint32_t number)
{
	uint32_t at = cp_load32(c->offsets + 4 * (size_t)number, false);
	uint32_t end = cp_load32(c->offsets + 4 * ((size_t)number + 1), false);

	if (at >= end || end > c->head.bytes)
		return 0;
	return cp_strings_addn(texts, (const char *)c->texts + at, end - at);
}

/* Returns the id of a text, which is copied once. */
static cp_string_id
copy_text(struct cp_inlcache *c, struct cp_strings *texts, uint32_t number)
{
	if (number >= c->head.texts)
		return 0;
	if (c->ids[number] == 0)
		c->ids[number] = add_text(c, texts, number);
	return c->ids[number];
}

/* Tries the next entry first: look-ups mostly ascend. */
static bool
find(struct cp_inlcache *c, uint64_t addr, size_t *out)
{
	size_t lo = 0, hi = c->head.addrs;

	if (c->at < hi && addr_at(c, c->at) < addr)
		lo = c->at + 1;
	if (lo < hi && addr_at(c, lo) >= addr)
		hi = lo;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (addr_at(c, mid) < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*out = c->at = lo;
	return lo < c->head.addrs && addr_at(c, lo) == addr;
}

bool
cp_inlcache_get(struct cp_inlcache *c, uint64_t addr, struct cp_strings *texts,
    struct cp_dwarf_result *result, uint32_t *n)
{
	uint32_t first;
	size_t i;

	if (!find(c, addr, &i) || !frames_at(c, i, &first, n))
		return false;
	/* Forgets ids of another string table. */
	if (c->ids_of != texts) {
		memset(
		    c->ids, 0, ((size_t)c->head.texts + 1) * sizeof(*c->ids));
		c->ids_of = texts;
	}
	cp_vec_reserve(&result->frames, result->frames.len + *n);
	for (uint32_t k = 0; k < *n; k++) {
		struct stored s = stored_at(c, first + k);

		result->frames.data[result->frames.len++] =
		    (struct cp_dwarf_frame){
			    .name = copy_text(c, texts, s.name),
			    .file = copy_text(c, texts, s.file),
			    .line = s.line,
			    .column = s.column,
			    .linkage = (s.flags & LINKAGE) != 0,
		    };
	}
	return true;
}

/* ------------------------------------------------------------- writing */

void
cp_inlcache_put(struct cp_inlcache *c, uint64_t addr,
    const struct cp_strings *texts, const struct cp_dwarf_frame *f, uint32_t n)
{
	*cp_vec_push(&c->added) =
	    (struct added){ addr, (uint32_t)c->added_frames.len, n };
	for (uint32_t i = 0; i < n; i++) {
		struct cp_dwarf_frame *to = cp_vec_push(&c->added_frames);

		*to = f[i];
		to->name = cp_strings_add(
		    &c->added_texts, cp_strings_get(texts, f[i].name));
		to->file = cp_strings_add(
		    &c->added_texts, cp_strings_get(texts, f[i].file));
	}
}

/* Adds the entries of the old file. */
static void
keep_old(struct cp_inlcache *c)
{
	struct cp_dwarf_result r = { 0 };
	uint32_t n;

	for (size_t i = 0; i < c->head.addrs; i++) {
		uint32_t first = (uint32_t)c->added_frames.len;
		uint64_t addr = addr_at(c, i);

		r.frames.len = 0;
		if (!cp_inlcache_get(c, addr, &c->added_texts, &r, &n))
			continue;
		for (uint32_t k = 0; k < n; k++)
			*cp_vec_push(&c->added_frames) = r.frames.data[k];
		*cp_vec_push(&c->added) = (struct added){ addr, first, n };
	}
	cp_vec_free(&r.frames);
}

static int
by_address(const void *a, const void *b)
{
	const struct added *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void
put(struct cp_buf *b, uint64_t v, unsigned bytes)
{
	uint32_t half = (uint32_t)v;

	if (bytes == 8)
		cp_buf_add(b, &v, 8);
	else
		cp_buf_add(b, &half, 4);
}

/* The index of a text is its id. */
static void
put_texts(const struct cp_inlcache *c, struct cp_buf *b)
{
	size_t n = c->added_texts.text.len;
	uint32_t at = 0;

	for (size_t id = 0; id < n; id++) {
		put(b, at, 4);
		at += (uint32_t)strlen(c->added_texts.text.data[id]);
	}
	put(b, at, 4);
	for (size_t id = 0; id < n; id++)
		cp_buf_str(b, c->added_texts.text.data[id]);
}

static void
put_frames(const struct cp_inlcache *c, struct cp_buf *b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->added.len; i++) {
		put(b, n, 4);
		n += c->added.data[i].n;
	}
	put(b, n, 4);
	for (size_t i = 0; i < c->added.len; i++)
		for (uint32_t k = 0; k < c->added.data[i].n; k++) {
			const struct cp_dwarf_frame *f =
			    &c->added_frames.data[c->added.data[i].first + k];
			struct stored s = { f->name, f->file, f->line,
				f->column, f->linkage ? LINKAGE : 0 };

			cp_buf_add(b, &s, sizeof(s));
		}
}

static void
make_file(struct cp_inlcache *c, struct cp_buf *b)
{
	struct header h = { .magic = MAGIC, .order = ORDER };

	qsort(c->added.data, c->added.len, sizeof(*c->added.data), by_address);
	h.addrs = (uint32_t)c->added.len;
	h.frames = (uint32_t)c->added_frames.len;
	h.texts = (uint32_t)c->added_texts.text.len;
	cp_buf_add(b, &h, sizeof(h));
	for (size_t i = 0; i < c->added.len; i++)
		put(b, c->added.data[i].addr, 8);
	put_frames(c, b);
	put_texts(c, b);
	if (b->full)
		return;
	for (size_t id = 0; id < h.texts; id++)
		h.bytes += (uint32_t)strlen(c->added_texts.text.data[id]);
	h.crc = lzma_crc64(
	    (const uint8_t *)b->data + sizeof(h), b->len - sizeof(h), 0);
	memcpy(b->data, &h, sizeof(h));
}

/* A failure to write the cache is ignored: the cache only saves time. */
static bool
save(struct cp_inlcache *c)
{
	struct cp_buf b;
	bool ok;

	/* A large file starts again with the entries of this run. */
	if (c->file.size <= CP_MAX_INLINE_CACHE / 2)
		keep_old(c);
	cp_buf_init(&b, CP_MAX_INLINE_CACHE);
	make_file(c, &b);
	ok = !b.full && cp_cachefile_put(c->path, b.data, b.len);
	cp_buf_free(&b);
	return ok;
}

bool
cp_inlcache_close(struct cp_inlcache *c)
{
	bool written;

	if (c == NULL)
		return false;
	written = c->added.len != 0 && c->path != NULL && save(c);
	cp_content_free(&c->file);
	free(c->ids);
	cp_vec_free(&c->added);
	cp_vec_free(&c->added_frames);
	cp_strings_free(&c->added_texts);
	free(c->path);
	free(c);
	return written;
}
