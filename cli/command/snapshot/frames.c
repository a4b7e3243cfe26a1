/* SPDX-License-Identifier: MIT */
/*
 * frames: threads take pieces of a file in turn.  A frame waits until those
 * before it are in the result.
 */
#include "cli/command/snapshot/frames.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include "base/limits.h"
#include "base/retry.h"
#include "cli/command/snapshot/compress.h"

/*
 * What a frame holds.  Records of a million samples in one frame take 3 % less
 * room, and their snapshot 7 % more CPU time: zstd copies what it is to
 * remember.
 */
enum { PIECE = 4 << 20 };
/* A frame has at least 32 blocks of 4 bytes. */
enum { LEAST = 32 * 4 };

struct cp_frames_one {
	char *bytes; /* NULL: not there yet, or moved */
	size_t size;
};

/* Reads n bytes, fewer only at the end. */
static size_t
read_piece(const struct cp_frames *f, char *to, uint64_t at, size_t want)
{
	size_t n = 0;
	ssize_t got = 1;

	while (n < want && got > 0) {
		got = cp_pread(f->fd, to + n, want - n, (off_t)(at + n));
		n += got > 0 ? (size_t)got : 0;
	}
	return n;
}

/* Adds a frame, and what waited for it. */
static void
add(struct cp_frames *f, size_t i, const void *bytes, size_t size)
{
	struct cp_frames_one *one = &f->frame[i];

	pthread_mutex_lock(&f->lock);
	one->bytes = cp_xmalloc(size);
	one->size = size;
	memcpy(one->bytes, bytes, size);
	while (f->moved < f->n && f->frame[f->moved].bytes != NULL) {
		one = &f->frame[f->moved++];
		cp_buf_add(&f->out, one->bytes, one->size);
		free(one->bytes);
		one->bytes = NULL;
	}
	if (f->out.full)
		atomic_store(&f->stop, true);
	pthread_mutex_unlock(&f->lock);
}

static void
squeeze(struct cp_frames *f, ZSTD_CCtx *zstd, char *in, char *out, size_t room)
{
	size_t i;

	while (!atomic_load_explicit(&f->stop, memory_order_relaxed) &&
	       (i = atomic_fetch_add(&f->taken, 1)) < f->n) {
		uint64_t at = (uint64_t)i * PIECE;
		size_t n = (size_t)CP_MIN(f->size - at, (uint64_t)PIECE);
		size_t size;

		if (read_piece(f, in, at, n) != n) {
			atomic_store(&f->stop, true);
			return;
		}
		size = ZSTD_compress2(zstd, out, room, in, n);
		if (ZSTD_isError(size))
			cp_out_of_memory(room);
		add(f, i, out, size);
	}
}

static void *
work(void *ctx)
{
	struct cp_frames *f = ctx;
	const size_t most = (size_t)CP_MIN(f->size, (uint64_t)PIECE);
	const size_t room = ZSTD_compressBound(most);
	ZSTD_CCtx *zstd = cp_compress_context(f->size);
	char *in = cp_xmalloc(most), *out = cp_xmalloc(room);

	squeeze(f, zstd, in, out, room);
	free(in);
	free(out);
	ZSTD_freeCCtx(zstd);
	return NULL;
}

/*
 * Returns how many frames there will be; 0: the result is too large in any
 * case.
 */
static size_t
frames_of(const struct cp_frames *f)
{
	uint64_t n = f->size / PIECE + (f->size % PIECE != 0);

	return f->fd >= 0 && n <= CP_MAX_EXPORT / LEAST ? (size_t)n : 0;
}

void
cp_frames_start(struct cp_frames *f, int fd, uint64_t size, unsigned jobs)
{
	*f = (struct cp_frames){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 3),
		.size = size };
	f->n = frames_of(f);
	f->frame = f->n != 0 ? cp_xcalloc(f->n, sizeof(*f->frame)) : NULL;
	cp_buf_init(&f->out, CP_MAX_EXPORT);
	pthread_mutex_init(&f->lock, NULL);
	while (f->started < CP_FRAMES_THREADS && f->started + 1 < jobs &&
	       f->started < f->n &&
	       pthread_create(&f->thread[f->started], NULL, work, f) == 0)
		f->started++;
}

bool
cp_frames_end(struct cp_frames *f, struct cp_buf *out)
{
	bool whole;

	if (atomic_load(&f->taken) < f->n)
		work(f);
	while (f->started > 0)
		pthread_join(f->thread[--f->started], NULL);
	pthread_mutex_destroy(&f->lock);
	for (size_t i = 0; i < f->n; i++)
		free(f->frame[i].bytes);
	free(f->frame);
	close(f->fd);
	f->fd = -1;
	whole = f->n != 0 && f->moved == f->n && !f->out.full;
	*out = f->out;
	f->out = (struct cp_buf){ .len = 0 };
	if (!whole)
		cp_buf_free(out);
	return whole;
}

void
cp_frames_drop(struct cp_frames *f)
{
	struct cp_buf none;

	if (f->fd < 0)
		return;
	atomic_store(&f->stop, true);
	if (cp_frames_end(f, &none))
		cp_buf_free(&none);
}
