/* SPDX-License-Identifier: MIT */
/*
 * window: see window.h.
 *
 * The memory is [room for the rest | data].  When the data run out, the rest
 * (less than a record) moves in front of the place where the next data are read
 * to.  So every record is contiguous and little is copied.
 */
#include "readers/record/window.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "base/mem.h"
#include "base/port.h"
#include "base/tuning.h"

/* cp_window_peek() guarantees this many bytes. */
enum { DATA_SIZE = CP_WINDOW_MAX };

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * Asks the kernel to read ahead while we work on the bytes in view.  A thread
 * of our own would copy the same bytes no earlier and cost a second core.
 * Asking costs a tenth of the copying, so it is done only while reads have to
 * wait.
 */
static void
ask_ahead(struct cp_window *w)
{
	if (!w->in->seekable || w->slow < 3 ||
	    w->next + CP_WINDOW_AHEAD / 2 < w->asked)
		return;
	cp_port_read_ahead(w->in->fd, w->next, CP_WINDOW_AHEAD);
	w->asked = w->next + CP_WINDOW_AHEAD;
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
	*w = (struct cp_window){
		.in = in, .offset = offset, .next = offset, .limit = limit
	};
	if (!in->seekable && offset < in->head_len) {
		size_t n = in->head_len - (size_t)offset;

		make_room(w);
		memcpy(w->mem + CP_WINDOW_MAX, in->head + offset, n);
		w->end += n;
		w->next += n;
	}
}

void
cp_window_fill_(struct cp_window *w, size_t n)
{
	size_t left = (size_t)(w->end - w->at);
	uint8_t *to;

	if (w->in == NULL)
		return;
	if (w->mem == NULL)
		make_room(w);
	to = w->mem + CP_WINDOW_MAX;
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
			/* the buffer is smaller than what was asked for */
			break;
		since = now_ns();
		to = w->mem + (w->end - w->mem);
		r = cp_input_read(w->in, to, (size_t)want, w->next);
		w->slow += now_ns() - since > CP_WINDOW_SLOW_NS;
		if (r < 0 || (uint64_t)r < want)
			w->error = w->in->error;
		w->end += CP_MAX(r, (ssize_t)0);
		w->next += r > 0 ? (uint64_t)r : 0;
		w->ended = r < 0 || (uint64_t)r < want || w->next >= w->limit;
	}
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
cp_window_leave(struct cp_window *w)
{
	if (w->in == NULL)
		return;
	free(w->mem);
	w->mem = NULL;
	w->at = w->end = NULL;
	w->ended = true;
}

void
cp_window_free(struct cp_window *w)
{
	free(w->mem);
	*w = (struct cp_window){ 0 };
}
