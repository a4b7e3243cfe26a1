/* SPDX-License-Identifier: MIT */
#include "symbolize/file-index/content.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/limits.h"
#include "base/retry.h"
#include "symbolize/file-index/file-kind.h"
#include "symbolize/kernel/running-kernel.h"

ssize_t
cp_fd_span_pull(void *ctx, void *buf, size_t n, uint64_t offset)
{
	const struct cp_fd_span *s = ctx;

	if (offset >= s->size)
		return 0;
	return cp_pread(s->fd, buf, (size_t)CP_MIN(n, s->size - offset),
	    (off_t)(s->offset + offset));
}

uint64_t
cp_fd_span_size(const struct cp_fd_span *s)
{
	struct stat st;
	uint64_t size = 0;

	if (fstat(s->fd, &st) == 0 && (uint64_t)st.st_size > s->offset)
		size = (uint64_t)st.st_size - s->offset;
	return CP_MIN(size, s->size);
}

bool
cp_fd_span_inflate(struct cp_fd_span span, struct cp_content *out)
{
	struct cp_archive *a = cp_archive_open(cp_fd_span_pull, &span, true);
	struct cp_inflated claim = { .from = cp_fd_span_size(&span) };
	size_t cap = (size_t)1 << 20, size = 0;
	struct cp_member m;
	uint8_t *p;
	ssize_t n = -1;

	if (a == NULL)
		return false;
	p = cp_xmalloc(cap);
	if (cp_archive_next(a, &m) == 1 && m.packed)
		while ((n = cp_archive_read(a, p + size, cap - size)) > 0) {
			size += (size_t)n;
			if (size == cap &&
			    (cap >= CP_MAX_SECTION ||
				!cp_inflated_claim(&claim, cap * 2)))
				break;
			if (size == cap)
				p = cp_xrealloc(p, cap *= 2, 1);
		}
	cp_archive_close(a);
	if (n != 0 || size == 0) {
		cp_inflated_release(&claim);
		free(p);
		errno = n > 0 ? EFBIG : EBADMSG;
		return false;
	}
	*out =
	    (struct cp_content){ .data = p, .size = size, .inflated = claim };
	return true;
}

/* A member is as old as its bundle. */
static struct cp_origin
member_origin(const struct cp_symindex *x, const struct cp_indexed *f)
{
	struct cp_origin from = x->bundles.data[f->bundle - 1].from;

	from.offset = f->at.offset;
	from.ours = false;
	return from;
}

static bool
map_spooled(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_content *out)
{
	struct cp_extent at = { f->at.offset, f->at.size };

	if (!cp_objfile_map_part(x->bundles.data[f->bundle - 1].fd, at, out))
		return false;
	out->from = member_origin(x, f);
	return true;
}

static bool
inflate(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_fd_span span, struct cp_content *out)
{
	if (cp_fd_span_inflate(span, out))
		return true;
	if (errno == EFBIG)
		cp_diag(x->diags, CP_D_LIMIT, "CP_INFLATE_RATIO: %s", f->path);
	return false;
}

static bool
map_file(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_content *out)
{
	int fd = cp_objfile_open(f->path);
	bool ok;

	if (fd < 0)
		return false;
	ok = f->kind == CP_INDEXED_PACKED
		 ? inflate(x, f, (struct cp_fd_span){ fd, 0, INT64_MAX }, out)
		 : cp_objfile_map(fd, out);
	close(fd);
	return ok;
}

static bool
inflate_spooled(const struct cp_symindex *x, const struct cp_indexed *f,
    struct cp_content *out)
{
	const struct cp_spool *s = &x->bundles.data[f->bundle - 1];

	return inflate(
	    x, f, (struct cp_fd_span){ s->fd, f->at.offset, f->at.size }, out);
}

bool
cp_symindex_content(
    struct cp_symindex *x, const struct cp_indexed *f, struct cp_content *out)
{
	if (f->bundle == 0)
		return map_file(x, f, out);
	return f->kind == CP_INDEXED_PACKED ? inflate_spooled(x, f, out)
					    : map_spooled(x, f, out);
}

/* Most packed files are none: looks at the first bytes before all is inflated.
 */
static bool
begins_as_elf(const struct cp_symindex *x, const struct cp_indexed *f)
{
	bool alone = f->bundle == 0;
	int fd = alone ? cp_objfile_open(f->path)
		       : x->bundles.data[f->bundle - 1].fd;
	struct cp_fd_span span = { fd, f->at.offset,
		alone ? INT64_MAX : f->at.size };
	struct cp_archive *a =
	    fd >= 0 ? cp_archive_open(cp_fd_span_pull, &span, true) : NULL;
	char magic[SELFMAG];
	struct cp_member m;
	bool is = a != NULL && cp_archive_next(a, &m) == 1 && m.packed &&
		  cp_archive_read(a, magic, SELFMAG) == SELFMAG &&
		  memcmp(magic, ELFMAG, SELFMAG) == 0;

	cp_archive_close(a);
	if (alone && fd >= 0)
		close(fd);
	return is;
}

void
cp_symindex_describe(struct cp_symindex *x, struct cp_indexed *f)
{
	size_t n = cp_kind_packed_elf(f->name);
	bool packed = f->kind == CP_INDEXED_PACKED;
	struct cp_content c;
	struct cp_elf elf;

	if ((packed && !begins_as_elf(x, f)) ||
	    !cp_symindex_content(x, f, &c) || !cp_elf_init(&elf, c)) {
		f->kind = CP_INDEXED_NOTHING;
		return;
	}
	f->build_id_size = elf.build_id_size;
	memcpy(f->build_id, elf.build_id, sizeof(f->build_id));
	cp_elf_free(&elf);
	if (packed)
		f->name = cp_arena_strndup(&x->arena, f->name, n);
}

bool
cp_symindex_read(struct cp_symindex *x, const struct cp_indexed *f, size_t max,
    struct cp_content *out)
{
	struct cp_content mapped;
	uint8_t *copy;
	int fd;
	bool ok;

	if (f->bundle == 0) {
		fd = f->given ? cp_running_open(f->path) : -1;
		if (fd < 0)
			fd = cp_objfile_open(f->path);
		if (fd < 0)
			return false;
		ok = cp_objfile_read(fd, max, out);
		close(fd);
		return ok;
	}
	if (f->at.size > max || !map_spooled(x, f, &mapped))
		return false;
	copy = cp_xmalloc(mapped.size);
	memcpy(copy, mapped.data, mapped.size);
	*out = (struct cp_content){ .data = copy, .size = mapped.size };
	cp_content_free(&mapped);
	return true;
}
