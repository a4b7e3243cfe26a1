/* SPDX-License-Identifier: MIT */
/*
 * directory: a capture of `perf record --threads`, or with --kcore.
 *
 * `data` is a seekable file; data.0, data.1 ... are bare streams of records,
 * each nearly in order of time.  The stream whose last event is the oldest is
 * read next.  Everything older than the last event of every stream can then be
 * released, so memory does not grow with the size of the capture.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "readers/byte-account.h"
#include "readers/events.h"
#include "readers/record/stream.h"

/* Events read from one stream before the next is chosen. */
enum { BATCH = 4096 };

struct part {
	struct cp_input in;
	struct cp_stream stream;
	uint64_t reached; /* time of its last event */
	bool ended;
};

struct directory {
	CP_VEC(struct part *) parts; /* parts[0] is `data` */
	/* the stream that is read; events left to read */
	size_t now, left;
	/* all streams had reached this time at the last choice */
	uint64_t settled;
};

static int
directory_bid(const struct cp_input *in)
{
	return in->directory ? 5 : 0;
}

/* Returns the N of "data.N", or -1. */
static long
part_number(const char *name)
{
	char *end;
	long n;

	if (strncmp(name, "data.", 5) != 0 || name[5] < '0' || name[5] > '9')
		return -1;
	n = strtol(name + 5, &end, 10);
	return *end == '\0' && n <= INT32_MAX ? n : -1;
}

static int
number_order(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static struct part *
part_new(struct cp_capture *c, struct directory *d)
{
	struct part *p = cp_xcalloc(1, sizeof(*p));

	cp_stream_init(&p->stream, c->rec, c->quality, c->diags);
	p->stream.source = (uint32_t)d->parts.len;
	*cp_vec_push(&d->parts) = p;
	return p;
}

static void
part_open(struct cp_capture *c, struct directory *d, int dir, long n)
{
	struct cp_input in;
	char name[32];
	struct stat st;
	struct part *p;

	snprintf(name, sizeof(name), "data.%ld", n);
	if (cp_input_open_in(&in, dir, name, c->diags) != CP_OK)
		return;
	if (!in.seekable) { /* an empty stream is normal: its CPU was idle */
		if (fstat(in.fd, &st) == 0 && !S_ISREG(st.st_mode))
			cp_diag(c->diags, CP_D_DIR_FILE, "%s: no regular file",
			    name);
		cp_input_close(&in);
		return;
	}
	p = part_new(c, d);
	*cp_vec_push(&c->parts) = (uint32_t)n;
	p->in = in;
	c->quality->bytes_total += in.size;
	cp_window_pull(&p->stream.outer, &p->in, 0, in.size);
}

/*
 * perf numbers the files from 0 without a gap, so a gap is a file that was
 * lost.  Nothing in the header tells how many there were.
 */
static void
parts_missing(struct cp_capture *c, const long *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (numbers[i] != (long)i) {
			cp_diag(c->diags, CP_D_MISSING_DATA,
			    "data.%zu is not there, data.%ld is", i,
			    numbers[i]);
			return;
		}
}

static void
parts_open(struct cp_capture *c, struct directory *d, int dir)
{
	CP_VEC(long) numbers = { 0 };
	DIR *listing = fdopendir(dup(dir));
	struct dirent *e;

	while (listing != NULL && (e = readdir(listing)) != NULL)
		if (part_number(e->d_name) >= 0 &&
		    numbers.len < CP_MAX_DATA_FILES)
			*cp_vec_push(&numbers) = part_number(e->d_name);
	if (listing != NULL)
		closedir(listing);
	if (numbers.len != 0)
		qsort(numbers.data, numbers.len, sizeof(long), number_order);
	parts_missing(c, numbers.data, numbers.len);
	for (size_t i = 0; i < numbers.len; i++)
		part_open(c, d, dir, numbers.data[i]);
	cp_vec_free(&numbers);
}

/* Samples are in the other files mostly. */
static int
parts_events(struct cp_capture *c, const struct directory *d,
    const struct cp_file_header *h)
{
	CP_VEC(struct cp_window *) w = { 0 };
	int status;

	for (size_t i = 0; i < d->parts.len; i++)
		*cp_vec_push(&w) = &d->parts.data[i]->stream.outer;
	status = cp_file_events(c, h, w.data, w.len);
	cp_vec_free(&w);
	return status;
}

static int
directory_open(struct cp_capture *c)
{
	int dir = c->in.fd, status;
	const char *path = c->in.path;
	struct directory *d;
	struct cp_file_header h;
	struct part *p;

	if (faccessat(dir, "data", F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
		cp_diag(c->diags, CP_D_OPEN, "no file `data` in it");
		status = CP_FAIL;
	} else if (cp_input_open_in(&c->in, dir, "data", c->diags) != CP_OK) {
		cp_diag(c->diags, CP_D_OPEN, "its file `data`");
		status = CP_FAIL;
	} else if (c->in.head_len == 0) {
		cp_diag(c->diags, CP_D_EMPTY, "its file `data`");
		status = CP_FAIL;
	} else if (cp_file_header_bid(&c->in) == 0) {
		cp_diag(c->diags, CP_D_NOT_PERF, "its file `data`");
		status = CP_FAIL;
	} else {
		c->quality->bytes_total = c->in.size;
		status = cp_file_header_read(c, &h);
	}
	c->in.path = path;
	if (status == CP_OK) {
		d = cp_xcalloc(1, sizeof(*d));
		p = part_new(c, d);
		cp_window_pull(&p->stream.outer, &c->in, h.data.offset,
		    h.data.offset + h.data.size);
		c->walked = h.data;
		c->header = cp_xmalloc(sizeof(h));
		*c->header = h;
		c->state = d;
		parts_open(c, d, dir);
		status = parts_events(c, d, &h);
	}
	close(dir);
	return status;
}

/*
 * Chooses the stream that has reached the least time.  Returns false if all
 * streams have ended.
 */
static bool
choose(struct directory *d)
{
	struct part *best = NULL;

	for (size_t i = 0; i < d->parts.len; i++) {
		struct part *p = d->parts.data[i];

		if (!p->ended && (best == NULL || p->reached < best->reached)) {
			best = p;
			d->now = i;
		}
	}
	d->left = BATCH;
	return best != NULL;
}

/* Makes a FINISHED_ROUND: all events up to its time were delivered. */
static int
round_event(struct directory *d, struct cp_event *ev)
{
	uint64_t reached = d->parts.data[d->now]->reached;

	*ev = (struct cp_event){ .type = CP_RECORD_FINISHED_ROUND,
		.size = CP_HEAD_SIZE,
		.time = d->settled,
		.evsel = CP_NO_ID,
		.pid = CP_NO_ID,
		.tid = CP_NO_ID,
		.cpu = CP_NO_ID };
	d->settled = reached;
	return 1;
}

static int
directory_next(struct cp_capture *c, struct cp_event *ev)
{
	struct directory *d = c->state;
	struct part *p = d->parts.data[d->now];

	while (d->left == 0 || p->ended || !cp_stream_next(&p->stream, ev)) {
		if (d->left != 0 && !p->ended) {
			cp_stream_ended(&p->stream);
			p->ended = true;
		}
		if (!choose(d)) {
			cp_capture_account(c);
			return 0;
		}
		p = d->parts.data[d->now];
		if (p->reached != 0 && d->settled < p->reached)
			return round_event(d, ev);
	}
	d->left--;
	if (ev->time != CP_NO_TIME && ev->time > p->reached)
		p->reached = ev->time;
	return 1;
}

static void
directory_close(struct cp_capture *c)
{
	struct directory *d = c->state;

	for (size_t i = 0; i < d->parts.len; i++) {
		cp_stream_close(&d->parts.data[i]->stream);
		if (i != 0)
			cp_input_close(&d->parts.data[i]->in);
		free(d->parts.data[i]);
	}
	cp_vec_free(&d->parts);
	free(d);
	free(c->header);
}

const struct cp_reader cp_reader_directory = {
	.name = "directory",
	.bid = directory_bid,
	.open = directory_open,
	.next = directory_next,
	.close = directory_close,
};
