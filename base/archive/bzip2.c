/* SPDX-License-Identifier: MIT */
/*
 * libarchive ends a stream of bzip2 in silence where no other stream follows,
 * so what it left of the input is looked at here.
 */
#include "base/archive/bzip2.h"

#include "base/archive/libarchive.h"
#include "base/bytes.h"

struct cp_bzip2 {
	const struct cp_libarchive *lib;
	struct archive *a;
	struct archive_entry *entry;
	cp_bzip2_more more;
	void *ctx;
	const uint8_t *in; /* the last bytes that libarchive got */
	size_t in_len;
	uint64_t given;     /* the number of all that it got */
	const uint8_t *out; /* what it made of them */
	size_t out_len;
	bool open, ended, unread;
	char why[80];
};

static la_ssize_t
on_read(struct archive *a, void *ctx, const void **out)
{
	struct cp_bzip2 *b = ctx;
	ssize_t n = b->more(b->ctx, &b->in);

	(void)a;
	b->unread = n < 0;
	b->in_len = n > 0 ? (size_t)n : 0;
	b->given += b->in_len;
	*out = b->in;
	return n;
}

struct cp_bzip2 *
cp_bzip2_new(cp_bzip2_more more, void *ctx)
{
	const struct cp_libarchive *lib = cp_libarchive();
	struct cp_bzip2 *b;

	if (lib == NULL)
		return NULL;
	b = cp_xcalloc(1, sizeof(*b));
	b->lib = lib;
	b->more = more;
	b->ctx = ctx;
	b->a = lib->archive_read_new();
	b->entry = lib->archive_entry_new();
	if (b->a == NULL || b->entry == NULL)
		cp_out_of_memory(sizeof(*b));
	lib->archive_read_support_filter_bzip2(b->a);
	lib->archive_read_support_format_raw(b->a);
	lib->archive_read_support_format_empty(b->a);
	lib->archive_read_set_read_callback(b->a, on_read);
	if (lib->archive_read_set_callback_data(b->a, b) != ARCHIVE_OK)
		cp_out_of_memory(sizeof(*b));
	return b;
}

void
cp_bzip2_free(struct cp_bzip2 *b)
{
	if (b == NULL)
		return;
	b->lib->archive_entry_free(b->entry);
	b->lib->archive_read_free(b->a);
	free(b);
}

static ssize_t
fail(struct cp_bzip2 *b, const char *why)
{
	snprintf(b->why, sizeof(b->why), "%s",
	    why != NULL ? why : "damaged bzip2 input");
	return -1;
}

/* Zeros after the end are ignored, as after gzip. */
static ssize_t
finish(struct cp_bzip2 *b)
{
	uint64_t left =
	    b->given - (uint64_t)b->lib->archive_filter_bytes(b->a, -1);
	const uint8_t *p = b->in + b->in_len - CP_MIN(left, b->in_len);
	bool zeros = left <= b->in_len;
	ssize_t n = (ssize_t)CP_MIN(left, b->in_len);

	b->ended = true;
	do {
		zeros &= n <= 0 || cp_is_zero(p, (size_t)n);
	} while (zeros && (n = b->more(b->ctx, &p)) > 0);
	b->unread = n < 0;
	if (b->unread)
		return -1;
	return zeros ? 0 : fail(b, "bytes after the end that are no bzip2");
}

/* False: it cannot be read, or is nothing. */
static bool
begin(struct cp_bzip2 *b)
{
	b->open = true;
	if (b->lib->archive_read_open1(b->a) != ARCHIVE_OK)
		return fail(b, b->lib->archive_error_string(b->a)) == 0;
	/* Of what is no stream of bzip2 the raw bytes would be the content. */
	if (b->lib->archive_filter_count(b->a) < 2)
		return fail(b, NULL) == 0;
	switch (b->lib->archive_read_next_header2(b->a, b->entry)) {
	case ARCHIVE_OK:
	case ARCHIVE_WARN: return true;
	case ARCHIVE_EOF: return finish(b) == 0;
	default: return fail(b, b->lib->archive_error_string(b->a)) == 0;
	}
}

ssize_t
cp_bzip2_read(struct cp_bzip2 *b, void *to, size_t n)
{
	if (b->why[0] != '\0' || (!b->open && !begin(b)))
		return -1;
	while (!b->ended && b->out_len == 0) {
		const void *p;
		la_int64_t at;
		int r =
		    b->lib->archive_read_data_block(b->a, &p, &b->out_len, &at);

		if (r == ARCHIVE_EOF)
			return finish(b);
		if (r < ARCHIVE_WARN && r != ARCHIVE_RETRY)
			return fail(b, b->lib->archive_error_string(b->a));
		b->out = p;
	}
	n = CP_MIN(n, b->out_len);
	if (n != 0)
		memcpy(to, b->out, n);
	b->out += n;
	b->out_len -= n;
	return (ssize_t)n;
}

const char *
cp_bzip2_why(const struct cp_bzip2 *b)
{
	return b->unread ? NULL : b->why;
}
