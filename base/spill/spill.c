/* SPDX-License-Identifier: MIT */
#include "base/spill/spill.h"

#include "base/retry.h"
#include "base/temp-file.h"
#include "base/tuning.h"

void
cp_spill_init(struct cp_spill *s)
{
	*s = (struct cp_spill){ .fd = -1 };
	cp_buf_init(&s->rest, SIZE_MAX / 2);
}

void
cp_spill_add(struct cp_spill *s, const void *p, size_t n)
{
	cp_buf_add(&s->rest, p, n);
	if (s->rest.len >= CP_SPILL_BYTES && !s->stuck) {
		if (s->fd < 0)
			s->fd = cp_temp_file();
		s->stuck = s->fd < 0 || !cp_pwrite_all(s->fd, s->rest.data,
					    s->rest.len, s->stored);
		if (!s->stuck) {
			s->stored += s->rest.len;
			cp_buf_reset(&s->rest);
		}
	}
}

void
cp_spill_clear(struct cp_spill *s)
{
	s->stuck = s->fd >= 0 && ftruncate(s->fd, 0) != 0;
	s->stored = 0;
	cp_buf_reset(&s->rest);
}

static bool
read_stored(const struct cp_spill *s, uint64_t at, uint8_t *to, size_t n)
{
	while (n > 0) {
		ssize_t r = cp_pread(s->fd, to, n, (off_t)at);

		if (r <= 0)
			return false;
		to += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return true;
}

bool
cp_spill_read(const struct cp_spill *s, uint64_t at, void *to, size_t n)
{
	size_t old = at < s->stored ? CP_MIN(n, s->stored - at) : 0;

	if (!read_stored(s, at, to, old))
		return false;
	if (n > old)
		memcpy((uint8_t *)to + old,
		    s->rest.data + (at + old - s->stored), n - old);
	return true;
}

bool
cp_spill_each(const struct cp_spill *s,
    void (*fn)(void *ctx, const void *, size_t n), void *ctx)
{
	uint64_t all = cp_spill_size(s);
	uint8_t piece[32 << 10];
	size_t n;

	for (uint64_t at = 0; at < all; at += n) {
		n = CP_MIN(sizeof(piece), all - at);
		if (!cp_spill_read(s, at, piece, n))
			return false;
		fn(ctx, piece, n);
	}
	return true;
}

void
cp_spill_free(struct cp_spill *s)
{
	if (s->fd >= 0)
		close(s->fd);
	cp_buf_free(&s->rest);
	s->fd = -1;
}
