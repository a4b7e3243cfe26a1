/* SPDX-License-Identifier: MIT */
#include "symbolize/code/source-text.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/digest.h"
#include "symbolize/file-index/index.h"
#include "symbolize/file-index/content.h"
#include "symbolize/inlines/inlines.h"
#include "symbolize/object/files.h"
#include "symbolize/object/object.h"
#include "symbolize/symbolizers/debuginfod.h"

/* Source files that were looked for. */
struct cp_sources {
	struct cp_map64 of; /* file pointer of an answer -> index in all + 1 */
	CP_VEC(struct cp_srcfile *) all;
	CP_VEC(char *) texts;
	CP_VEC(struct cp_content) originals;
};

struct search {
	struct cp_symbols *s;
	const struct cp_dso_info *dso;
	struct cp_srcfile *out;
	bool has_md5, refused;
	uint8_t md5[16];
};

/* ------------------------------------------------------------ its version */

/* The build time of the object, by its file; 0: no file available. */
static time_t
build_time(const struct search *q)
{
	const struct cp_elf *elf = cp_symbols_runtime(q->s, q->dso);
	const char *path =
	    elf != NULL ? cp_symbols_path_of(q->s, q->dso, elf) : NULL;
	struct stat st;

	return path != NULL && stat(path, &st) == 0 ? st.st_mtime : 0;
}

/* A source file that changed after the build may be another version. */
static const char *
judge_age(const struct search *q, time_t changed)
{
	time_t then = build_time(q);

	if (changed == 0 || (then == 0 && q->s->capture_time == 0))
		return "not verified";
	if (then != 0)
		return changed > then ? "not verified, newer than the object"
				      : "not verified, older than the object";
	return changed > q->s->capture_time
		   ? "not verified, newer than the capture"
		   : "not verified, older than the capture";
}

/* Accepts the text unless it is known to be another version. */
static bool
accept_text(struct search *q, struct cp_content text, const char *path,
    enum cp_source source, time_t changed)
{
	struct cp_srcfile *f = q->out;
	uint8_t md5[16];

	f->trust = CP_TRUST_ABSENT;
	if (q->has_md5) {
		bool same;

		cp_md5(text.data, text.size, md5);
		same = memcmp(md5, q->md5, sizeof(md5)) == 0;
		f->trust = same ? CP_TRUST_VERIFIED : CP_TRUST_MISMATCH;
		if (!same && !q->s->opt.allow_mismatch) {
			q->refused = true;
			cp_content_free(&text);
			return false;
		}
		f->check = same ? "the MD5 is the same" : "another version";
	} else if (source == CP_SOURCE_DEBUGINFOD) {
		/* A server, or who filled the cache, can only say so. */
		f->check = "not verified, from debuginfod";
	} else {
		f->check = judge_age(q, changed);
	}
	f->path = cp_arena_strndup(&q->s->arena, path, strlen(path));
	f->source = source;
	f->text = (const char *)text.data;
	f->size = text.size;
	*cp_vec_push(&q->s->sources->originals) = text;
	return true;
}

/* ------------------------------------------------------------ in the index */

/* Counts the equal components at the end of two paths. */
static unsigned
common_end(const char *a, const char *b)
{
	size_t i = strlen(a), k = strlen(b);
	unsigned parts = 0;

	while (i > 0 && k > 0 && a[i - 1] == b[k - 1]) {
		i--;
		k--;
		parts += a[i] == '/';
	}
	if ((i == 0 || a[i - 1] == '/') && (k == 0 || b[k - 1] == '/') &&
	    (i == 0 || k == 0 || a[i] != '/'))
		parts++;
	return parts;
}

static bool
take_indexed(struct search *q, const struct cp_indexed *f)
{
	struct cp_content text;
	struct stat st = { 0 };

	if (!cp_symindex_read(&q->s->index, f, CP_MAX_SOURCE, &text))
		return false;
	if (f->bundle == 0 && stat(f->path, &st) != 0)
		st.st_mtime = 0;
	return accept_text(q, text, f->path, CP_SOURCE_BUNDLE, st.st_mtime);
}

/*
 * Tries the files with the longest common end; without an MD5 only a single
 * one.
 */
static bool
search_index(struct search *q, unsigned parts)
{
	const struct cp_symindex *x = &q->s->index;
	const struct cp_indexed *only = NULL;

	for (size_t i = 0; i < x->files.len; i++) {
		const struct cp_indexed *f = &x->files.data[i];

		if (f->kind != CP_INDEXED_SOURCE ||
		    common_end(f->name, q->out->file) != parts)
			continue;
		if (q->has_md5 && take_indexed(q, f))
			return true;
		if (only != NULL && !q->has_md5) {
			q->out->check = "several files of that name";
			return false;
		}
		only = f;
	}
	return !q->has_md5 && only != NULL && take_indexed(q, only);
}

static bool
find_indexed(struct search *q)
{
	unsigned best = 0;

	if (q->s->index.places.len == 0)
		return false;
	cp_symindex_ready(&q->s->index);
	for (size_t i = 0; i < q->s->index.files.len; i++) {
		const struct cp_indexed *f = &q->s->index.files.data[i];

		if (f->kind == CP_INDEXED_SOURCE)
			best = CP_MAX(best, common_end(f->name, q->out->file));
	}
	for (; best > 0; best--) {
		if (search_index(q, best))
			return true;
		/* A shorter common end is trusted only with an MD5. */
		if (!q->has_md5)
			return false;
	}
	return false;
}

/* -------------------------------------------------------- on this machine */

static bool
take_path(struct search *q, const char *path, enum cp_source source)
{
	int fd = source == CP_SOURCE_LOCAL
		     ? cp_source_open_local(q->s, q->dso, path)
		     : cp_objfile_open(path);
	struct cp_content text;
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0 && cp_objfile_read(fd, CP_MAX_SOURCE, &text);
	close(fd);
	return ok && accept_text(q, text, path, source, st.st_mtime);
}

static bool
find_text(struct search *q)
{
	const char *file = q->out->file;
	char *path;
	bool ok;

	q->has_md5 = cp_symbols_source_md5(q->s, q->dso, file, q->md5);
	if (find_indexed(q))
		return true;
	if (file[0] != '/')
		return false;
	if (q->s->opt.recorded_paths && take_path(q, file, CP_SOURCE_LOCAL))
		return true;
	path = cp_debuginfod_source(q->s, q->dso, file);
	ok = path != NULL && take_path(q, path, CP_SOURCE_DEBUGINFOD);
	free(path);
	return ok;
}

/* ---------------------------------------------------------------- lines */

static void
cut_lines(struct cp_srcfile *f, char *text, size_t size)
{
	const char **line;
	uint32_t n = 0;
	char *end = text + size;

	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	line = cp_xcalloc((size_t)n + 1, sizeof(*line));
	f->line = line;
	while (text < end) {
		char *nl = memchr(text, '\n', (size_t)(end - text));
		char *stop = nl != NULL ? nl : end;

		line[f->lines++] = text;
		text = stop + (nl != NULL);
		if (stop > line[f->lines - 1] && stop[-1] == '\r')
			stop--;
		*stop = '\0';
	}
}

/* Copies the text; lines become pointers into it. */
static void
keep_lines(struct search *q)
{
	char *copy = cp_xmalloc(q->out->size + 1);

	memcpy(copy, q->out->text, q->out->size);
	cut_lines(q->out, copy, q->out->size);
	*cp_vec_push(&q->s->sources->texts) = copy;
}

const struct cp_srcfile *
cp_symbols_source(
    struct cp_symbols *s, const struct cp_dso_info *d, const char *file)
{
	struct search q = { .s = s, .dso = d };
	struct cp_sources *x = s->sources;
	uint32_t *at;

	if (x == NULL)
		x = s->sources = cp_xcalloc(1, sizeof(*x));
	at = cp_map64_put(&x->of, (uint64_t)(uintptr_t)file);
	if (*at != 0)
		return x->all.data[*at - 1];
	q.out = cp_arena_alloc(&s->arena, sizeof(*q.out));
	*cp_vec_push(&x->all) = q.out;
	*at = (uint32_t)x->all.len;
	q.out->file = file;
	q.out->check = "not found";
	if (find_text(&q))
		keep_lines(&q);
	else if (q.refused)
		q.out->check = "only of another version (MD5)";
	return q.out;
}

void
cp_sources_free(struct cp_sources *x)
{
	if (x == NULL)
		return;
	for (size_t i = 0; i < x->texts.len; i++)
		free(x->texts.data[i]);
	for (size_t i = 0; i < x->all.len; i++) {
		union {
			const char *const *in;
			void *out;
		} p = { .in = x->all.data[i]->line };

		free(p.out);
	}
	for (size_t i = 0; i < x->originals.len; i++)
		cp_content_free(&x->originals.data[i]);
	cp_vec_free(&x->originals);
	cp_vec_free(&x->texts);
	cp_vec_free(&x->all);
	cp_map64_free(&x->of);
	free(x);
}
