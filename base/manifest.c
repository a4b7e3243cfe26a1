/* SPDX-License-Identifier: MIT */
#include "base/manifest.h"

#include "base/limits.h"

static void
put_field(struct cp_buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		switch (*s) {
		case '\t': cp_buf_str(b, "\\t"); break;
		case '\n': cp_buf_str(b, "\\n"); break;
		case '\\': cp_buf_str(b, "\\\\"); break;
		default: cp_buf_char(b, *s);
		}
}

void
cp_manifest_put(struct cp_buf *b, const char *const *field, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (i != 0)
			cp_buf_char(b, '\t');
		put_field(b, field[i]);
	}
	cp_buf_char(b, '\n');
}

/* Unescapes in place: the result is never longer. */
static void
unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			s++;
			*to++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static void
parse_line(struct cp_manifest *m, char *s)
{
	struct cp_manifest_line l = { .n = 0 };
	char *next;

	for (; s != NULL && l.n < CP_ARRAY_LEN(l.field); s = next) {
		next = strchr(s, '\t');
		if (next != NULL)
			*next++ = '\0';
		unescape(s);
		l.field[l.n++] = s;
	}
	*cp_vec_push(&m->lines) = l;
}

bool
cp_manifest_parse(
    struct cp_manifest *m, const char *magic, const char *text, size_t size)
{
	size_t head = strlen(magic);
	char *s, *next;

	*m = (struct cp_manifest){ 0 };
	if (size < head || memcmp(text, magic, head) != 0)
		return false;
	for (s = cp_arena_strndup(&m->arena, text, size);
	     s != NULL && *s != '\0' && m->lines.len < 2 * CP_MAX_MEMBERS;
	     s = next) {
		next = strchr(s, '\n');
		if (next != NULL)
			*next++ = '\0';
		parse_line(m, s);
	}
	return true;
}

bool
cp_manifest_lists(
    const struct cp_manifest *m, const char *sha, const char *name)
{
	for (size_t i = 0; i < m->lines.len; i++) {
		const struct cp_manifest_line *at = &m->lines.data[i];

		if (at->n == 6 &&
		    (sha == NULL || strcmp(at->field[1], sha) == 0) &&
		    strcmp(at->field[5], name) == 0)
			return true;
	}
	return false;
}

void
cp_manifest_free(struct cp_manifest *m)
{
	cp_vec_free(&m->lines);
	cp_arena_free(&m->arena);
}
