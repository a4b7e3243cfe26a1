/* SPDX-License-Identifier: MIT */
#include "base/archive/write.h"

#include "base/archive/libarchive.h"

struct cp_archive_writer {
	const struct cp_libarchive *lib;
	struct archive *a;
	struct archive_entry *entry;
	cp_archive_push push;
	void *ctx;
	bool failed;
	char why[160];
};

static la_ssize_t
on_write(struct archive *a, void *ctx, const void *data, size_t n)
{
	struct cp_archive_writer *w = ctx;

	if (w->push(w->ctx, data, n) == 0)
		return (la_ssize_t)n;
	w->lib->archive_set_error(a, 5, "the output cannot be written");
	return -1;
}

static void
check(struct cp_archive_writer *w, int status)
{
	const char *why;

	if (w->failed || status >= ARCHIVE_WARN)
		return;
	why = w->lib->archive_error_string(w->a);
	w->failed = true;
	snprintf(w->why, sizeof(w->why), "%s", why != NULL ? why : "failed");
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

static void
compress_as(struct cp_archive_writer *w, const char *name)
{
	if (ends_with(name, ".tar"))
		return;
	if (ends_with(name, ".gz") || ends_with(name, ".tgz")) {
		check(w, w->lib->archive_write_add_filter_gzip(w->a));
		/* The time of writing would be in the bytes. */
		check(w, w->lib->archive_write_set_filter_option(
			     w->a, "gzip", "timestamp", NULL));
	} else if (ends_with(name, ".xz")) {
		check(w, w->lib->archive_write_add_filter_xz(w->a));
	} else {
		check(w, w->lib->archive_write_add_filter_zstd(w->a));
	}
}

struct cp_archive_writer *
cp_archive_writer_new(cp_archive_push push, void *ctx, const char *name)
{
	const struct cp_libarchive *lib = cp_libarchive();
	struct cp_archive_writer *w;

	if (lib == NULL)
		return NULL;
	w = cp_xcalloc(1, sizeof(*w));
	w->lib = lib;
	w->push = push;
	w->ctx = ctx;
	w->a = lib->archive_write_new();
	w->entry = lib->archive_entry_new();
	if (w->a == NULL || w->entry == NULL)
		cp_out_of_memory(sizeof(*w));
	check(w, lib->archive_write_set_format_pax_restricted(w->a));
	compress_as(w, name);
	check(w, lib->archive_write_set_bytes_in_last_block(w->a, 1));
	check(w, lib->archive_write_open(w->a, w, NULL, on_write, NULL));
	return w;
}

static void
begin(struct cp_archive_writer *w, const char *name, unsigned type, mode_t mode)
{
	const struct cp_libarchive *l = w->lib;

	l->archive_entry_clear(w->entry);
	l->archive_entry_set_pathname(w->entry, name);
	l->archive_entry_set_filetype(w->entry, type);
	l->archive_entry_set_perm(w->entry, mode);
	l->archive_entry_set_mtime(w->entry, 0, 0);
	l->archive_entry_set_size(w->entry, 0);
}

void
cp_archive_writer_link(
    struct cp_archive_writer *w, const char *name, const char *target)
{
	if (w->failed)
		return;
	begin(w, name, AE_IFLNK, 0777);
	w->lib->archive_entry_set_symlink(w->entry, target);
	check(w, w->lib->archive_write_header(w->a, w->entry));
}

void
cp_archive_writer_file(struct cp_archive_writer *w, const char *name,
    mode_t mode, uint64_t size, const struct cp_extent *kept, size_t n)
{
	if (w->failed)
		return;
	begin(w, name, AE_IFREG, mode);
	w->lib->archive_entry_set_size(w->entry, (la_int64_t)size);
	for (size_t i = 0; i < n; i++)
		w->lib->archive_entry_sparse_add_entry(w->entry,
		    (la_int64_t)kept[i].offset, (la_int64_t)kept[i].size);
	check(w, w->lib->archive_write_header(w->a, w->entry));
}

void
cp_archive_writer_add(struct cp_archive_writer *w, const void *p, size_t n)
{
	const uint8_t *at = p;

	while (n > 0 && !w->failed) {
		la_ssize_t r = w->lib->archive_write_data(w->a, at, n);

		if (r <= 0) {
			check(w, ARCHIVE_FATAL);
			return;
		}
		at += r;
		n -= (size_t)r;
	}
}

const char *
cp_archive_writer_end(struct cp_archive_writer *w)
{
	static __thread char why[160];
	bool failed;

	if (!w->failed)
		check(w, w->lib->archive_write_close(w->a));
	failed = w->failed;
	memcpy(why, w->why, sizeof(why));
	w->lib->archive_entry_free(w->entry);
	w->lib->archive_write_free(w->a);
	free(w);
	return failed ? why : NULL;
}
