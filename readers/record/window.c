/* SPDX-License-Identifier: MIT */
/*
 * window: see window.h.
 *
 * Of copies, the memory is [room for what is left over | data].  When the data
 * run out, the rest (shorter than a record) moves in front of where the next
 * data are read to, so that every record is contiguous and nothing else is
 * copied.
 */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "readers/record/window.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"

enum {
	DATA_SIZE = CP_WINDOW_MAX, /* no less: peek() promises that much */
	AHEAD = 4 << 20,           /* what the kernel is asked to have ready */
	SLOW_NS = 500000, /* of one read; from memory it takes a tenth */
};

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * Lets the kernel read ahead while we work on what is there.  A thread of our
 * own would copy the same bytes no earlier and cost a second core.  Asking
 * costs a tenth of the copying, so it is done only while a read has to wait.
 */
static void
ask_ahead(struct cp_window *w)
{
	if (!w->in->seekable || w->slow < 3 || w->next + AHEAD / 2 < w->asked)
		return;
	posix_fadvise(w->in->fd, (off_t)w->next, AHEAD, POSIX_FADV_WILLNEED);
	w->asked = w->next + AHEAD;
}

/* Blocks that this thread has had a disk read. */
static uint64_t
blocks_read(void)
{
	struct rusage u = { 0 };

	getrusage(RUSAGE_THREAD, &u);
	return (uint64_t)u.ru_inblock;
}

static void
make_room(struct cp_window *w)
{
	w->cap = CP_WINDOW_MAX + DATA_SIZE;
	w->mem = cp_xmalloc(w->cap);
	w->at = w->end = w->mem + CP_WINDOW_MAX;
}

void
cp_window_pull(
    struct cp_window *w, struct cp_input *in, uint64_t offset, uint64_t limit)
{
	*w = (struct cp_window){ .in = in,
		.offset = offset,
		.next = offset,
		.limit = limit,
		.copies = !in->seekable };
	if (!in->seekable)
		make_room(w);
	if (!in->seekable && offset < in->head_len) {
		size_t n = in->head_len - (size_t)offset;

		memcpy(w->mem + CP_WINDOW_MAX, in->head + offset, n);
		w->end += n;
		w->next += n;
	}
}

/* -------------------------------------------------------------------- views */

static void
drop_view(struct cp_window *w)
{
	if (w->view != NULL)
		cp_view_close(w->view);
	w->view = NULL;
	w->at = w->end = NULL;
}

/* Bytes from `from` on that the file has now and that are asked for. */
static size_t
view_size(const struct cp_window *w, uint64_t from)
{
	uint64_t end = w->limit;
	struct stat st;

	if (fstat(w->in->fd, &st) != 0 || st.st_size < 0)
		return 0;
	end = CP_MIN(end, (uint64_t)st.st_size);
	return end > w->offset
		   ? (size_t)CP_MIN(end - from, (uint64_t)CP_VIEW_SIZE)
		   : 0;
}

/*
 * Another view, from `at` on; false: copies are needed to know more.  A view
 * is waited for where it is looked at: what it took shows in the next one.
 */
static bool
look(struct cp_window *w)
{
	uint64_t from = w->offset & ~((uint64_t)CP_VIEW_STEP - 1);
	uint64_t blocks = blocks_read();
	bool lost = w->view != NULL && cp_view_lost(w->view);
	size_t n;

	drop_view(w);
	n = lost ? 0 : view_size(w, from);
	if (n != 0)
		w->view = cp_view_open(w->in->fd, from, n);
	if (w->view == NULL)
		return false;
	w->slow += blocks != w->blocks;
	w->blocks = blocks;
	w->at = cp_view_bytes(w->view) + (w->offset - from);
	w->end = cp_view_bytes(w->view) + n;
	w->next = from + n;
	w->ended = w->next >= w->limit;
	return true;
}

void
cp_window_leave(struct cp_window *w)
{
	if (w->view == NULL)
		return;
	drop_view(w);
	w->ended = true;
}

static void
copy_from_now_on(struct cp_window *w)
{
	drop_view(w);
	make_room(w);
	w->copies = true;
	w->ended = false;
	w->next = w->offset;
}

/* What its last page has beyond the end of the file is zeros, not a signal. */
bool
cp_window_lost(struct cp_window *w)
{
	struct stat st;

	if (w->view == NULL ||
	    (!cp_view_lost(w->view) && fstat(w->in->fd, &st) == 0 &&
		(uint64_t)st.st_size >= w->next))
		return false;
	copy_from_now_on(w);
	return true;
}

/* ------------------------------------------------------------------- copies */

static void
read_on(struct cp_window *w, size_t n)
{
	size_t left = (size_t)(w->end - w->at);
	uint8_t *to = w->mem + CP_WINDOW_MAX;

	memmove(to - left, w->at, left);
	w->at = to - left;
	w->end = to;
	ask_ahead(w);
	while ((size_t)(w->end - w->at) < n && !w->ended) {
		uint64_t want = CP_MIN(
		    (uint64_t)(w->mem + w->cap - w->end), w->limit - w->next);
		uint64_t since;
		ssize_t r;

		if (want == 0 && w->next < w->limit)
			break; /* more was asked for than there is room */
		since = now_ns();
		to = w->mem + (w->end - w->mem);
		r = cp_input_read(w->in, to, (size_t)want, w->next);
		w->slow += now_ns() - since > SLOW_NS;
		if (r < 0)
			w->error = errno;
		else
			w->end += r;
		w->next += r > 0 ? (uint64_t)r : 0;
		w->ended = r < 0 || (uint64_t)r < want || w->next >= w->limit;
	}
}

void
cp_window_fill_(struct cp_window *w, size_t n)
{
	if (w->in == NULL)
		return;
	if (!w->copies && look(w)) {
		ask_ahead(w);
		if (w->ended || (size_t)(w->end - w->at) >= n)
			return;
	}
	if (!w->copies)
		copy_from_now_on(w);
	read_on(w, n);
}

uint64_t
cp_window_skip(struct cp_window *w, uint64_t n)
{
	uint64_t done = CP_MIN(n, (uint64_t)(w->end - w->at));

	cp_window_step(w, (size_t)done);
	if (done == n || w->in == NULL)
		return done;
	if (w->in->seekable) {
		uint64_t jump = CP_MIN(n - done, w->limit - w->next);

		w->next += jump;
		w->offset += jump;
		w->ended = w->next >= w->limit;
		return done + jump;
	}
	while (done < n && cp_window_have(w, 1) > 0) {
		uint64_t part = CP_MIN(n - done, (uint64_t)(w->end - w->at));

		cp_window_step(w, (size_t)part);
		done += part;
	}
	return done;
}

void
cp_window_push(struct cp_window *w, const void *p, size_t n)
{
	size_t left = (size_t)(w->end - w->at);

	if (n == 0)
		return;
	if (w->mem != NULL && w->at != w->mem) {
		memmove(w->mem, w->at, left);
		w->at = w->mem;
	}
	if (left + n > w->cap) {
		w->cap = CP_MAX(left + n, w->cap * 2);
		w->mem = cp_xrealloc(w->mem, w->cap, 1);
	}
	memcpy(w->mem + left, p, n);
	w->at = w->mem;
	w->end = w->mem + left + n;
}

void
cp_window_free(struct cp_window *w)
{
	drop_view(w);
	free(w->mem);
	*w = (struct cp_window){ 0 };
}
