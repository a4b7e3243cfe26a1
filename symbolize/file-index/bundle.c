/* SPDX-License-Identifier: MIT */
/*
 * Reads a bundle: keeps the members that help to name addresses, and skips the
 * others.
 *
 * Links and devices are ignored: a link's target is found by its build ID.
 */
#include "symbolize/file-index/content.h"
#include "symbolize/file-index/index.h"

#include <sys/stat.h>

#include "base/limits.h"
#include "symbolize/file-index/file-kind.h"

struct bundle {
	struct cp_symindex *x;
	struct cp_archive *a;
	uint32_t number;
	const char *path;
	bool given;
	unsigned depth;
	bool bad; /* damaged, or a limit was hit */
};

static bool read_bundle(struct bundle *, struct cp_fd_span);

/* "./a" and "/a" become "a". */
static const char *
plain_name(const char *name)
{
	static const char files[] = "coldperf/files/";

	while (name[0] == '/' || (name[0] == '.' && name[1] == '/'))
		name++;
	/* The folder of files that were recorded without a build ID. */
	if (strncmp(name, files, strlen(files)) == 0)
		name += strlen(files);
	return name;
}

static const char *
told(struct bundle *b, const char *name)
{
	size_t n = strlen(b->path) + strlen(name) + 3;
	char *p = cp_arena_alloc(&b->x->arena, n);

	snprintf(p, n, "%s: %s", b->path, name);
	return p;
}

/* A compressed file "linux.ko.xz" has one member: "linux.ko". */
static const char *
packed_name(struct bundle *b)
{
	const char *dot = strrchr(b->path, '.');
	size_t n = dot != NULL ? (size_t)(dot - b->path) : strlen(b->path);

	return cp_arena_strndup(&b->x->arena, b->path, n);
}

static void
read_nested(struct bundle *b, const struct cp_indexed *f)
{
	struct cp_fd_span s = { b->x->bundles.data[b->number - 1].fd,
		f->at.offset, f->at.size };
	/*
	 * Members of a nested archive go to the same spool file, after the
	 * archive.
	 */
	struct bundle in = { .x = b->x,
		.number = b->number,
		.path = f->path,
		.depth = b->depth + 1 };

	if (in.depth >= CP_MAX_NESTED) {
		cp_diag(b->x->diags, CP_D_LIMIT, "CP_MAX_NESTED: %s", f->path);
		b->bad = true;
	} else if (!read_bundle(&in, s)) {
		b->bad = true;
	}
}

static void
keep_member(struct bundle *b, const struct cp_member *m,
    enum cp_indexed_kind kind, const uint8_t *head, size_t n)
{
	struct cp_indexed f = { .kind = (uint8_t)kind, .bundle = b->number };

	if (b->x->files.len >= CP_MAX_SYMBOL_FILES) {
		cp_diag(b->x->diags, CP_D_LIMIT, "CP_MAX_SYMBOL_FILES: %s",
		    b->path);
		b->bad = true;
		return;
	}
	f.given = m->packed && b->given;
	f.path = m->packed ? packed_name(b) : told(b, m->name);
	f.name = m->packed ? f.path
			   : cp_arena_strndup(&b->x->arena, plain_name(m->name),
				 strlen(plain_name(m->name)));
	if (!cp_spool_member(
		&b->x->bundles.data[b->number - 1], b->a, head, n, &f.at)) {
		b->bad = true;
		return;
	}
	if (kind == CP_INDEXED_ELF ||
	    (kind == CP_INDEXED_PACKED && !cp_kind_is_module(f.name)))
		cp_symindex_describe(b->x, &f);
	if (kind == CP_INDEXED_KALLSYMS)
		f.build_id_size = cp_kind_folder_id(f.path, f.build_id);
	if (kind == CP_INDEXED_BUNDLE)
		read_nested(b, &f);
	else if (f.kind != CP_INDEXED_NOTHING)
		cp_symindex_push(b->x, &f);
}

/* Returns 1 while there may be more members. */
static int
read_member(struct bundle *b)
{
	uint8_t head[CP_ARCHIVE_HEAD];
	enum cp_indexed_kind kind;
	struct cp_member m;
	int r = cp_archive_next(b->a, &m);
	ssize_t n;

	if (r != 1 || m.kind != CP_MEMBER_FILE)
		return r;
	n = cp_archive_read(b->a, head, sizeof(head));
	if (n < 0)
		return -1;
	kind =
	    cp_kind_of(head, (size_t)n, m.packed ? b->path : m.name, m.packed);
	/* compressed twice: not supported */
	if (m.packed &&
	    (kind == CP_INDEXED_PACKED || kind == CP_INDEXED_BUNDLE))
		kind = CP_INDEXED_NOTHING;
	if (kind != CP_INDEXED_NOTHING)
		keep_member(b, &m, kind, head, (size_t)n);
	return 1;
}

/* False if the end was not reached. */
static bool
read_bundle(struct bundle *b, struct cp_fd_span span)
{
	const char *limit;
	uint64_t size;
	int r;

	b->a = cp_archive_open(cp_fd_span_pull, &span, true);
	if (b->a == NULL) {
		cp_diag(b->x->diags, CP_D_BAD_BUNDLE,
		    "%s: libarchive is not installed", b->path);
		return false;
	}
	size = cp_fd_span_size(&span);
	cp_archive_expect(b->a, size);
	while ((r = read_member(b)) == 1)
		;
	limit = cp_archive_limit(b->a);
	if (limit != NULL)
		cp_diag(b->x->diags, CP_D_LIMIT, "%s: %s: %s", limit, b->path,
		    cp_archive_why(b->a));
	else if (r < 0)
		cp_diag(b->x->diags, CP_D_BAD_BUNDLE,
		    "%s: %s; %" PRIu64 " of %" PRIu64 " bytes were read",
		    b->path, cp_archive_why(b->a), cp_archive_at(b->a), size);
	cp_archive_close(b->a);
	return r == 0 && limit == NULL && !b->bad;
}

bool
cp_bundle_read(
    struct cp_symindex *x, struct cp_fd_span span, const char *path, bool given)
{
	struct bundle b = { .x = x, .path = path, .given = given };
	struct stat st;

	*cp_vec_push(&x->bundles) = (struct cp_spool){ .fd = -1 };
	if (fstat(span.fd, &st) == 0)
		x->bundles.data[x->bundles.len - 1].from = cp_origin_of(&st);
	b.number = (uint32_t)x->bundles.len;
	return read_bundle(&b, span);
}
