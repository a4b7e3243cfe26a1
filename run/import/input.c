/* SPDX-License-Identifier: MIT */
#include "run/import/input.h"

#include "base/limits.h"

enum { BUFFER = 2 * CP_MAX_IMPORT_LINE };

void
cp_lines_begin(struct cp_lines *l, struct cp_input *in)
{
	*l = (struct cp_lines){ .in = in, .buf = cp_xmalloc(BUFFER) };
}

static void
fill(struct cp_lines *l)
{
	ssize_t n;

	memmove(l->buf, l->buf + l->from, l->len);
	l->from = 0;
	n = cp_input_read(l->in, l->buf + l->len, BUFFER - l->len, l->next);
	l->over = n <= 0;
	l->len += n > 0 ? (size_t)n : 0;
	l->next += n > 0 ? (uint64_t)n : 0;
}

bool
cp_lines_next(struct cp_lines *l, struct cp_text *line)
{
	const char *end = memchr(l->buf + l->from, '\n', l->len);
	size_t n;

	while (end == NULL && !l->over && l->len < CP_MAX_IMPORT_LINE) {
		fill(l);
		end = memchr(l->buf + l->from, '\n', l->len);
	}
	if (l->len == 0)
		return false;
	l->at = l->next - l->len;
	n = end != NULL ? (size_t)(end - (l->buf + l->from))
			: CP_MIN(l->len, CP_MAX_IMPORT_LINE);
	*line = (struct cp_text){ l->buf + l->from, n };
	n += end != NULL;
	l->from += n;
	l->len -= n;
	if (line->n != 0 && line->s[line->n - 1] == '\r')
		line->n--;
	if (l->at == 0)
		*line = cp_import_no_mark(*line);
	return true;
}

void
cp_lines_end(struct cp_lines *l)
{
	free(l->buf);
}

struct cp_text
cp_import_no_mark(struct cp_text t)
{
	static const char mark[] = "\xef\xbb\xbf";

	return cp_text_begins(t, mark)
		   ? (struct cp_text){ t.s + strlen(mark), t.n - strlen(mark) }
		   : t;
}

int
cp_import_whole(struct cp_run *run, struct cp_text *all)
{
	struct cp_input *in = &run->capture.in;
	char *bytes;
	ssize_t n;

	if (in->size > CP_MAX_IMPORT) {
		cp_diag(run->diags, CP_D_LIMIT,
		    "CP_MAX_IMPORT: the profile has over %u MiB",
		    CP_MAX_IMPORT >> 20);
		return CP_FAIL;
	}
	bytes = cp_xmalloc((size_t)in->size + 1);
	n = cp_input_read(in, bytes, (size_t)in->size, 0);
	n = CP_MAX(n, 0);
	bytes[n] = '\0';
	*all = (struct cp_text){ bytes, (size_t)n };
	return CP_OK;
}
