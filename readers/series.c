/* SPDX-License-Identifier: MIT */
/*
 * series: the files that `perf record --switch-output' wrote, in one folder.
 *
 * Each is a capture by itself, and all are one recording: events have the same
 * ids, and waits go on from file to file.  The records of all are read as one
 * stream.  What perf writes anew at the head of each file, without a time, is
 * known by then: its maps and names are taken as of the end of the file before,
 * and its FORKs are left out, since those threads exist.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/events.h"
#include "readers/header/magic.h"
#include "readers/record/stream.h"

enum { DATE = 16 }; /* "2026112904585399": to a hundredth of a second */

struct file {
	struct cp_input in;
	struct cp_stream stream;
};

struct series {
	CP_VEC(struct file *) files;
	size_t now;
	uint64_t reached; /* the latest time in the files before this one */
	uint64_t latest;
};

struct file_name {
	char text[NAME_MAX + 1];
};
typedef CP_VEC(struct file_name) file_names;

/* Returns the length of what stands ahead of ".DATE"; 0: it has none. */
static size_t
stem(const char *name)
{
	size_t n = strlen(name);

	if (n < DATE + 2 || name[n - DATE - 1] != '.' ||
	    strspn(name + n - DATE, "0123456789") != DATE)
		return 0;
	return n - DATE - 1;
}

static int
name_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Lists the files in order of time; none if they have several names. */
static void
list(int dir, file_names *names)
{
	int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *e;
	bool one = true;

	while (listing != NULL && (e = readdir(listing)) != NULL) {
		size_t n = stem(e->d_name);

		if (n == 0 || names->len == CP_MAX_DATA_FILES)
			continue;
		one &= names->len == 0 ||
		       (stem(names->data[0].text) == n &&
			   strncmp(names->data[0].text, e->d_name, n) == 0);
		snprintf(
		    cp_vec_push(names)->text, NAME_MAX + 1, "%s", e->d_name);
	}
	if (listing != NULL)
		closedir(listing);
	else if (again >= 0)
		close(again);
	if (!one)
		names->len = 0;
	if (names->len != 0)
		qsort(
		    names->data, names->len, sizeof(*names->data), name_order);
}

static bool
same_events(const struct cp_evsels *a, const struct cp_evsels *b)
{
	bool same = a->all.len == b->all.len && a->ids == b->ids;

	for (size_t i = 0; same && i < a->all.len; i++)
		same = a->all.data[i]->first_id == b->all.data[i]->first_id;
	return same;
}

static struct file *
file_new(struct cp_capture *c, struct series *s)
{
	struct file *f = cp_xcalloc(1, sizeof(*f));

	cp_stream_init(&f->stream, c->rec, c->quality, c->diags);
	f->stream.source = (uint32_t)s->files.len;
	*cp_vec_push(&s->files) = f;
	return f;
}

/* Adds a file after the first one; CP_FAIL: it is of another recording. */
static int
add_file(struct cp_capture *c, struct series *s, int dir, const char *name)
{
	struct cp_recording rec = { 0 };
	struct cp_capture part = { .readers = c->readers,
		.rec = &rec,
		.quality = cp_xcalloc(1, sizeof(*part.quality)),
		.diags = c->diags };
	struct cp_file_header h;
	int status = cp_input_open_in(&part.in, dir, name, c->diags);
	bool read = false;
	struct file *f;

	if (status == CP_OK) {
		read = part.in.seekable && part.in.size > CP_FILE_HEAD &&
		       cp_file_header_bid(&part.in) != 0 &&
		       cp_file_header_read(&part, &h) == CP_OK;
		if (read && !same_events(&rec.evsels, &c->rec->evsels)) {
			cp_diag(c->diags, CP_D_OPEN,
			    "%s is of another recording than the files before "
			    "it: give the files of each by themselves",
			    name);
			status = CP_FAIL;
		} else if (!read) {
			cp_diag(c->diags, CP_D_DIR_FILE,
			    "%s cannot be read: its part is missing", name);
		}
		if (!read || status != CP_OK)
			cp_input_close(&part.in);
	}
	if (status == CP_OK && read) {
		f = file_new(c, s);
		*cp_vec_push(&c->parts) = f->stream.source;
		f->in = part.in;
		f->stream.cut = h.cut;
		f->stream.shifted = h.shifted;
		c->quality->bytes_total += h.data.size;
		cp_window_pull(&f->stream.outer, &f->in, h.data.offset,
		    h.data.offset + h.data.size);
	}
	cp_vec_free(&part.claimed);
	free(part.quality);
	cp_recording_free(&rec);
	return status;
}

bool
cp_series_is(int dir)
{
	file_names names = { 0 };
	bool is;

	list(dir, &names);
	is = names.len > 1 &&
	     faccessat(dir, "data", F_OK, AT_SYMLINK_NOFOLLOW) != 0;
	cp_vec_free(&names);
	return is;
}

static int
series_bid(const struct cp_input *in)
{
	return in->directory && cp_series_is(in->fd) ? 6 : 0;
}

static int
series_open(struct cp_capture *c)
{
	int dir = c->in.fd, status = CP_FAIL;
	const char *path = c->in.path;
	file_names names = { 0 };
	struct cp_file_header h;
	struct series *s;
	struct cp_window *w;

	list(dir, &names);
	if (cp_input_open_in(&c->in, dir, names.data[0].text, c->diags) ==
	    CP_OK) {
		c->quality->bytes_total = c->in.size;
		if (cp_file_header_bid(&c->in) != 0)
			status = cp_file_header_read(c, &h);
		else
			cp_diag(c->diags, CP_D_NOT_PERF, "its first file %s",
			    names.data[0].text);
	}
	c->in.path = path;
	if (status == CP_OK) {
		s = cp_xcalloc(1, sizeof(*s));
		w = &file_new(c, s)->stream.outer;
		s->files.data[0]->stream.cut = h.cut;
		s->files.data[0]->stream.shifted = h.shifted;
		cp_window_pull(
		    w, &c->in, h.data.offset, h.data.offset + h.data.size);
		c->walked = h.data;
		c->header = cp_xmalloc(sizeof(h));
		*c->header = h;
		c->state = s;
		status = cp_file_events(c, &h, &w, 1);
		for (size_t i = 1; i < names.len && status == CP_OK; i++)
			status = add_file(c, s, dir, names.data[i].text);
	}
	cp_vec_free(&names);
	close(dir);
	return status;
}

static int
series_next(struct cp_capture *c, struct cp_event *ev)
{
	struct series *s = c->state;

	while (s->now < s->files.len) {
		struct cp_stream *stream = &s->files.data[s->now]->stream;

		if (!cp_stream_next(stream, ev)) {
			cp_stream_ended(stream);
			s->reached = s->latest;
			s->now++;
			continue;
		}
		if (ev->time != CP_NO_TIME && ev->time > s->latest)
			s->latest = ev->time;
		if (s->now == 0 || ev->time != 0)
			return 1;
		ev->time = s->reached;
		if (ev->type != CP_RECORD_FORK)
			return 1;
	}
	cp_capture_account(c);
	return 0;
}

static void
series_close(struct cp_capture *c)
{
	struct series *s = c->state;

	for (size_t i = 0; i < s->files.len; i++) {
		cp_stream_close(&s->files.data[i]->stream);
		if (i != 0)
			cp_input_close(&s->files.data[i]->in);
		free(s->files.data[i]);
	}
	cp_vec_free(&s->files);
	free(s);
	free(c->header);
}

const struct cp_reader cp_reader_series = {
	.name = "series",
	.bid = series_bid,
	.open = series_open,
	.next = series_next,
	.close = series_close,
};
