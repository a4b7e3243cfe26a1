/* SPDX-License-Identifier: MIT */
#include "base/archive/read.h"

#include <errno.h>

#include "base/archive/inflate.h"
#include "base/archive/libarchive.h"
#include "base/limits.h"

#define CHUNK ((size_t)256 << 10)

struct cp_archive {
	const struct cp_libarchive *lib;
	struct archive *a;
	struct archive_entry *entry;
	cp_archive_pull pull;
	void *ctx;
	uint8_t *buf;
	size_t buf_len;            /* bytes in buf that were not consumed yet */
	struct cp_inflate *packed; /* state of a compressed input, or NULL */
	/* bytes read from the input, bytes produced from them */
	uint64_t in, out;
	uint64_t of; /* size of the input; 0: not known */
	uint64_t members;
	uint64_t place; /* of the current member's header */
	/* The current member: its last block, the read position, its size. */
	const uint8_t *block;
	size_t block_len;
	uint64_t block_at, pos, size;
	bool ended; /* no more blocks */
	bool open, begun, compressed;
	const char *limit;
	char why[160];
};

/* ------------------------------------------------------------- who watches */

static cp_archive_watcher watcher;

void
cp_archive_watch(cp_archive_watcher w)
{
	watcher = w;
}

static void
tell(const struct cp_archive *s, bool over)
{
	if (watcher != NULL)
		watcher(s->in, s->of, over);
}

void
cp_archive_expect(struct cp_archive *s, uint64_t size)
{
	s->of = size;
}

/* ---------------------------------------------------------------- input */

bool
cp_archive_bid(const uint8_t *h, size_t n)
{
	static const struct {
		uint8_t at, size;
		const char *bytes;
	} magic[] = {
		{ 0, 3, "BZh" },
		{ 0, 2, "\x1f\x8b" },
		{ 0, 6,
		    "\xfd"
		    "7zXZ\0" },
		{ 0, 4, "\x28\xb5\x2f\xfd" },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(magic); i++)
		if (n >= magic[i].size &&
		    memcmp(h + magic[i].at, magic[i].bytes, magic[i].size) == 0)
			return true;
	return n >= 262 && memcmp(h + 257, "ustar", 5) == 0;
}

bool
cp_archive_is_package(const uint8_t *h, size_t n)
{
	static const char *const magic[] = { "!<arch>\n", "\xed\xab\xee\xdb",
		"PK\3\4" };

	for (size_t i = 0; i < CP_ARRAY_LEN(magic); i++)
		if (n >= strlen(magic[i]) &&
		    memcmp(h, magic[i], strlen(magic[i])) == 0)
			return true;
	return false;
}

/* Returns the next raw bytes of the file. */
static ssize_t
more(void *ctx, const uint8_t **out)
{
	struct cp_archive *s = ctx;
	ssize_t n = (ssize_t)s->buf_len;

	*out = s->buf;
	s->buf_len = 0;
	if (n != 0)
		return n;
	n = s->pull(s->ctx, s->buf, CHUNK, s->in);
	s->in += (uint64_t)CP_MAX(n, 0);
	return n;
}

/* Tests by the first bytes if the input is compressed. */
static void
begin_input(struct cp_archive *s)
{
	const uint8_t *p;
	ssize_t n = more(s, &p);

	s->begun = true;
	s->buf_len = n > 0 ? (size_t)n : 0;
	if (n > 0)
		s->packed = cp_inflate_new(p, (size_t)n, more, s);
}

static la_ssize_t
on_read(struct archive *a, void *ctx, const void **out)
{
	struct cp_archive *s = ctx;
	const uint8_t *p = NULL;
	const char *why = NULL;
	ssize_t n;

	if (!s->begun)
		begin_input(s);
	if (s->packed != NULL) {
		n = cp_inflate_read(s->packed, out);
		why = cp_inflate_why(s->packed);
	} else {
		n = more(s, &p);
		*out = p;
	}
	if (n < 0)
		s->lib->archive_set_error(
		    a, errno, "%s", why != NULL ? why : strerror(errno));
	tell(s, false);
	return n;
}

static la_int64_t
on_skip(struct archive *a, void *ctx, la_int64_t n)
{
	struct cp_archive *s = ctx;

	/* The next read reports input that ends too early. */
	if (n <= 0 || s->packed != NULL ||
	    (uint64_t)n > (uint64_t)INT64_MAX - s->in)
		return 0;
	s->in += (uint64_t)n;
	return n;
}

struct cp_archive *
cp_archive_open(cp_archive_pull pull, void *ctx, bool seekable)
{
	const struct cp_libarchive *lib = cp_libarchive();
	struct cp_archive *s;

	if (lib == NULL)
		return NULL;
	s = cp_xcalloc(1, sizeof(*s));
	s->lib = lib;
	s->pull = pull;
	s->ctx = ctx;
	s->buf = cp_xmalloc(CHUNK);
	tell(s, false);
	s->a = lib->archive_read_new();
	s->entry = lib->archive_entry_new();
	if (s->a == NULL || s->entry == NULL)
		cp_out_of_memory(CHUNK);
	/*
	 * Names each filter: _filter_all() would include filters that run
	 * programs.
	 */
	lib->archive_read_support_filter_bzip2(s->a);
	lib->archive_read_support_filter_gzip(s->a);
	lib->archive_read_support_filter_xz(s->a);
	lib->archive_read_support_filter_zstd(s->a);
	lib->archive_read_support_filter_rpm(s->a);
	lib->archive_read_support_format_tar(s->a);
	lib->archive_read_support_format_ar(s->a);
	lib->archive_read_support_format_cpio(s->a);
	lib->archive_read_support_format_zip_streamable(s->a);
	lib->archive_read_support_format_raw(s->a);
	lib->archive_read_support_format_empty(s->a);
	lib->archive_read_set_read_callback(s->a, on_read);
	if (seekable)
		lib->archive_read_set_skip_callback(s->a, on_skip);
	if (lib->archive_read_set_callback_data(s->a, s) != ARCHIVE_OK)
		cp_out_of_memory(CHUNK);
	return s;
}

void
cp_archive_close(struct cp_archive *s)
{
	if (s == NULL)
		return;
	tell(s, true);
	s->lib->archive_entry_free(s->entry);
	s->lib->archive_read_free(s->a);
	cp_inflate_free(s->packed);
	free(s->buf);
	free(s);
}

/* -------------------------------------------------------------- members */

static int
failed(struct cp_archive *s)
{
	const char *why = s->lib->archive_error_string(s->a);

	snprintf(s->why, sizeof(s->why), "%s",
	    why != NULL ? why : "it cannot be read");
	return -1;
}

static int
too_much(struct cp_archive *s, const char *limit, const char *why)
{
	s->limit = limit;
	snprintf(s->why, sizeof(s->why), "%s", why);
	return -1;
}

/* Counts the bytes produced.  -1: too many for the size of the input. */
static int
account(struct cp_archive *s, uint64_t n)
{
	s->out += n;
	if (s->out > CP_ARCHIVE_FREE &&
	    (s->out - CP_ARCHIVE_FREE) / CP_ARCHIVE_RATIO > s->in)
		return too_much(
		    s, "CP_ARCHIVE_RATIO", "it inflates out of all proportion");
	return 0;
}

/* Reads the next block when the last is used up.  False: no more, or failed. */
static bool
fill(struct cp_archive *s)
{
	const void *p = NULL;
	size_t n = 0;
	la_int64_t at = 0;
	int r;

	while (s->block_len == 0 && !s->ended && s->why[0] == '\0') {
		r = s->lib->archive_read_data_block(s->a, &p, &n, &at);
		s->ended = r == ARCHIVE_EOF;
		if (r < ARCHIVE_WARN && r != ARCHIVE_RETRY)
			failed(s);
		if (r < ARCHIVE_WARN || s->ended)
			continue;
		s->block = p;
		s->block_len = n;
		s->block_at = (uint64_t)CP_MAX(at, 0);
		account(s, n);
	}
	return s->block_len != 0 && s->why[0] == '\0';
}

/* Reads the rest of a compressed member, so that skipped bytes count too. */
static int
drain(struct cp_archive *s)
{
	if (s->members == 0 || !s->compressed)
		return 0;
	s->block_len = 0;
	while (fill(s))
		s->block_len = 0;
	return s->why[0] == '\0' ? 0 : -1;
}

static void
describe(struct cp_archive *s, struct cp_member *out)
{
	const struct cp_libarchive *l = s->lib;
	struct archive_entry *e = s->entry;
	const char *name = l->archive_entry_pathname(e);
	const char *hard = l->archive_entry_hardlink(e);
	const char *soft = l->archive_entry_symlink(e);

	if (name == NULL)
		name = l->archive_entry_pathname_utf8(e);
	*out = (struct cp_member){ .name = name != NULL ? name : "",
		.target = hard != NULL ? hard : soft,
		.size = (uint64_t)CP_MAX(l->archive_entry_size(e), 0),
		.mode = l->archive_entry_perm(e) & 0777,
		.kind = CP_MEMBER_OTHER };
	if (out->target != NULL)
		out->kind = CP_MEMBER_LINK;
	else if (l->archive_entry_filetype(e) == AE_IFREG)
		out->kind = CP_MEMBER_FILE;
	out->hard = hard != NULL;
	out->packed = l->archive_format(s->a) == ARCHIVE_FORMAT_RAW;
}

/* Reads on to the CRC, which comes after the last member. */
static int
finish(struct cp_archive *s)
{
	const void *p;
	ssize_t n = 0;

	while (s->packed != NULL && (n = cp_inflate_read(s->packed, &p)) > 0)
		if (account(s, (uint64_t)n) != 0)
			return -1;
	return n == 0 ? 0
		      : too_much(s, NULL,
			    cp_inflate_why(s->packed) != NULL
				? cp_inflate_why(s->packed)
				: strerror(errno));
}

int
cp_archive_next(struct cp_archive *s, struct cp_member *out)
{
	int r;

	if (s->why[0] != '\0' || drain(s) != 0)
		return -1;
	if (!s->open && s->lib->archive_read_open1(s->a) != ARCHIVE_OK)
		return failed(s);
	s->open = true;
	r = s->lib->archive_read_next_header2(s->a, s->entry);
	if (r == ARCHIVE_EOF)
		return finish(s);
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
		return failed(s);
	if (++s->members > CP_MAX_MEMBERS)
		return too_much(s, "CP_MAX_MEMBERS", "it has too many members");
	s->compressed =
	    s->packed != NULL || s->lib->archive_filter_count(s->a) > 1;
	s->place = (uint64_t)s->lib->archive_read_header_position(s->a);
	describe(s, out);
	if (strlen(out->name) > CP_MAX_MEMBER_NAME ||
	    (out->target != NULL && strlen(out->target) > CP_MAX_MEMBER_NAME))
		return too_much(
		    s, "CP_MAX_MEMBER_NAME", "a member's name is too long");
	s->block_len = 0;
	s->pos = 0;
	s->ended = false;
	s->size = out->size;
	/*
	 * An input that is neither compressed nor a tar has an unknown format.
	 */
	if (out->packed && !s->compressed)
		return too_much(s, NULL, "it is no archive");
	return account(s, 512) == 0 ? 1 : -1;
}

/* Number of zeros to come: up to the next block or the end of the member. */
static uint64_t
hole(struct cp_archive *s)
{
	uint64_t to = fill(s) ? s->block_at : s->size;

	return to > s->pos ? to - s->pos : 0;
}

static size_t
take_zeros(struct cp_archive *s, uint8_t *to, size_t n)
{
	/* Zeros that are read cost as much as bytes that are inflated. */
	account(s, n);
	memset(to, 0, n);
	s->pos += n;
	return n;
}

static size_t
take_block(struct cp_archive *s, uint8_t *to, size_t n)
{
	memcpy(to, s->block, n);
	s->block += n;
	s->block_at += n;
	s->block_len -= n;
	s->pos = s->block_at;
	return n;
}

ssize_t
cp_archive_read(struct cp_archive *s, void *buf, size_t n)
{
	uint8_t *to = buf;
	size_t done = 0;

	while (done < n) {
		uint64_t zeros = hole(s);

		if (s->why[0] != '\0')
			return -1;
		if (zeros != 0)
			done += take_zeros(
			    s, to + done, (size_t)CP_MIN(n - done, zeros));
		else if (s->block_len != 0)
			done += take_block(
			    s, to + done, CP_MIN(n - done, s->block_len));
		else
			break;
	}
	return (ssize_t)done;
}

bool
cp_archive_piece(struct cp_archive *s, struct cp_piece *out)
{
	*out = (struct cp_piece){ .zeros = hole(s) };
	if (s->why[0] != '\0' || (out->zeros == 0 && s->block_len == 0))
		return false;
	out->data = s->block;
	out->size = s->block_len;
	s->pos += out->zeros + out->size;
	s->block_len = 0;
	return true;
}

void
cp_archive_fail(struct cp_archive *s, const char *limit, const char *why)
{
	too_much(s, limit, why);
}

const char *
cp_archive_why(const struct cp_archive *s)
{
	return s->why;
}

uint64_t
cp_archive_at(const struct cp_archive *s)
{
	return s->of != 0 ? CP_MIN(s->in, s->of) : s->in;
}

uint64_t
cp_archive_place(const struct cp_archive *s)
{
	return s->members == 0 || s->compressed ? UINT64_MAX : s->place;
}

const char *
cp_archive_limit(const struct cp_archive *s)
{
	return s->limit;
}
