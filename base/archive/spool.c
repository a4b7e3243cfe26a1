/* SPDX-License-Identifier: MIT */
#include "base/archive/spool.h"

#include "base/limits.h"
#include "base/retry.h"
#include "base/temp-file.h"

#define SPOOL_ALIGN ((uint64_t)64 << 10)

/* Says why the temporary file could not be written.  Returns false. */
static bool
failed(struct cp_spool *s, struct cp_archive *a)
{
	s->error = errno;
	cp_archive_fail(a, NULL, strerror(errno));
	return false;
}

/* Copies the rest of the member to offset at.  Holes stay holes. */
static bool
spool_rest(struct cp_spool *s, struct cp_archive *a, uint64_t *at)
{
	struct cp_piece p;

	while (cp_archive_piece(a, &p)) {
		if (p.zeros + p.size >
		    CP_MAX_SPOOL - CP_MIN(*at, CP_MAX_SPOOL)) {
			cp_archive_fail(
			    a, "CP_MAX_SPOOL", "its members are too large");
			return false;
		}
		*at += p.zeros;
		if (!cp_pwrite_all(s->fd, p.data, p.size, *at))
			return failed(s, a);
		*at += p.size;
	}
	return cp_archive_why(a)[0] == '\0';
}

bool
cp_spool_member(struct cp_spool *s, struct cp_archive *a, const void *head,
    size_t n, struct cp_spooled *out)
{
	uint64_t at = s->used;
	bool whole;

	*out = (struct cp_spooled){ at, 0 };
	if (s->fd < 0)
		s->fd = cp_temp_file();
	if (s->fd < 0 || !cp_pwrite_all(s->fd, head, n, at))
		return failed(s, a);
	at += n;
	whole = spool_rest(s, a, &at);
	/* A file that ends in a hole must be told its size. */
	if (ftruncate(s->fd, (off_t)at) != 0)
		return failed(s, a);
	out->size = at - s->used;
	if (whole)
		s->used = (at + SPOOL_ALIGN - 1) / SPOOL_ALIGN * SPOOL_ALIGN;
	return whole;
}

void
cp_spool_close(struct cp_spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
