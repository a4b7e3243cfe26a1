/* SPDX-License-Identifier: MIT */
#include "render/common/fit-name.h"

#include "base/match/short-name.h"
#include "render/common/escape.h"

#define ELLIPSIS "…"
#define INLINED " (inlined)"
#define ARGUMENTS "<…>"
#define MAX_CALLERS 8
#define LEAST_CALLER 10 /* columns; a shorter part of a name is useless */

static size_t
columns_of(const char *s)
{
	return cp_text_columns(s);
}

/* Returns the end of s that fits. */
static const char *
fit_end(const char *s, size_t columns)
{
	size_t all = columns_of(s);
	size_t skip = all > columns ? cp_text_fit(s, all - columns) : 0;

	/* Leaves out a wide character that would be cut in half. */
	while (columns_of(s + skip) > columns)
		skip += cp_text_fit(s + skip, 2);
	return s + skip;
}

void
cp_cut_middle(struct cp_buf *b, const char *text, size_t columns)
{
	size_t head = columns / 2, tail = columns - head - (columns != 0);

	if (columns_of(text) <= columns) {
		cp_buf_str(b, text);
		return;
	}
	cp_buf_add(b, text, cp_text_fit(text, head));
	cp_buf_str(b, ELLIPSIS);
	cp_buf_str(b, fit_end(text, tail));
}

/* True for libx.y.so and libx.y.so.1, whose dots part no namespaces. */
static bool
is_library(const char *s)
{
	const char *end = strrchr(s, '.');

	return (end != NULL && strcmp(end, ".so") == 0) ||
	       strstr(s, ".so.") != NULL;
}

/* That there are template arguments says less than the name. */
static void
put_plain(struct cp_buf *b, const char *s)
{
	const char *at;

	for (; (at = strstr(s, ARGUMENTS)) != NULL; s = at + strlen(ARGUMENTS))
		cp_buf_add(b, s, (size_t)(at - s));
	cp_buf_str(b, s);
}

/* Drops outer parts of the short form until it fits. */
static void
put_inner(struct cp_buf *b, const char *brief, size_t columns)
{
	const char *s = brief, *next;
	bool file = is_library(brief);
	struct cp_buf plain;

	while (columns_of(s) + (s != brief) > columns) {
		next = cp_name_part(s, file || cp_name_has_path(s));
		if (next == NULL)
			break;
		s = next;
	}
	cp_buf_init(&plain, SIZE_MAX / 2);
	if (columns_of(s) > columns)
		put_plain(&plain, s);
	else
		cp_buf_str(&plain, s);
	if (s != brief && columns_of(cp_buf_text(&plain)) < columns)
		cp_buf_str(b, ELLIPSIS);
	cp_cut_middle(b, cp_buf_text(&plain), columns);
	cp_buf_free(&plain);
}

/* True for words with blanks in between, which are no function's name. */
static bool
is_prose(const char *brief)
{
	return strchr(brief, ' ') != NULL && strstr(brief, "::") == NULL &&
	       strstr(brief, ELLIPSIS) == NULL && *brief != '<';
}

/*
 * Drops " (inlined)", if the short form with it does not fit: what is left of
 * the function says more.
 */
static void
drop_inlined(struct cp_buf *brief, size_t columns)
{
	const char *s = cp_buf_text(brief), *at = strstr(s, INLINED);

	if (at != NULL && columns_of(s) > columns) {
		brief->len = (size_t)(at - s);
		brief->data[brief->len] = '\0';
	}
}

static void
put_one(struct cp_buf *b, const char *name, size_t columns)
{
	struct cp_buf brief;
	const char *s;

	if (columns_of(name) <= columns) {
		cp_buf_str(b, name);
		return;
	}
	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_short_name(&brief, name);
	drop_inlined(&brief, columns);
	s = cp_buf_text(&brief);
	if (is_prose(s) && columns_of(s) > columns) {
		cp_buf_add(b, s, cp_text_fit(s, columns - 1));
		cp_buf_str(b, ELLIPSIS);
	} else {
		put_inner(b, s, columns);
	}
	cp_buf_free(&brief);
}

/* Callers, "< a < b", cut at each " < ". */
struct callers {
	const char *name[MAX_CALLERS];
	size_t n;
	bool more;
};

static struct callers
split_callers(char *text)
{
	struct callers c = { .n = 0 };
	char *next = text;

	while (next != NULL && c.n < MAX_CALLERS) {
		c.name[c.n++] = next + strlen("< ");
		next = strstr(next + 1, " < ");
		if (next != NULL)
			*next++ = '\0';
	}
	c.more = next != NULL;
	return c;
}

/* Returns the columns of a caller's own name, without its namespaces. */
static size_t
tail_columns(const char *name)
{
	struct cp_buf brief;
	size_t n;

	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_short_name(&brief, name);
	drop_inlined(&brief, 0);
	n = columns_of(cp_name_tail(cp_buf_text(&brief)));
	cp_buf_free(&brief);
	return n;
}

/*
 * Returns how many of the callers, from the innermost on, can be shown with
 * their whole own names; at least one.
 */
static size_t
callers_that_fit(const struct callers *c, size_t columns)
{
	size_t taken = 0, n = 0;

	for (; n < c->n; n++) {
		bool more = c->more || n + 1 < c->n;

		/* "< " or " < ", perhaps an ellipsis for namespaces, " …" */
		taken += 2 + (n != 0) + 1 + tail_columns(c->name[n]);
		if (taken + (more ? 2 : 0) > columns)
			break;
	}
	return CP_MAX(n, (size_t)1);
}

/* Drops outer callers if there is no room for their whole names. */
static void
put_callers(struct cp_buf *b, const char *name, size_t columns)
{
	size_t shown, room = columns;
	struct callers c;
	struct cp_buf copy;

	cp_buf_init(&copy, SIZE_MAX / 2);
	cp_buf_str(&copy, name);
	c = split_callers(copy.data);
	shown = callers_that_fit(&c, columns);
	c.more |= shown < c.n;
	room -= c.more ? 2 : 0;
	for (size_t i = 0; i < shown; i++) {
		size_t from = b->len, later = 0;

		for (size_t k = i + 1; k < shown; k++)
			later += 4 + tail_columns(c.name[k]);
		cp_buf_str(b, i != 0 ? " < " : "< ");
		room -= CP_MIN(room, columns_of(cp_buf_text(b) + from));
		from = b->len;
		put_one(b, c.name[i], room > later ? room - later : 1);
		room -= CP_MIN(room, columns_of(cp_buf_text(b) + from));
	}
	cp_buf_str(b, c.more ? " " ELLIPSIS : "");
	cp_buf_free(&copy);
}

void
cp_fit_name(struct cp_buf *b, const char *name, size_t columns)
{
	if (columns_of(name) <= columns) {
		cp_buf_str(b, name);
	} else if (strncmp(name, "< ", 2) == 0 && columns > LEAST_CALLER) {
		put_callers(b, name, columns);
	} else if (strncmp(name, "> ", 2) == 0 && columns > 2) {
		cp_buf_str(b, "> ");
		put_one(b, name + 2, columns - 2);
	} else {
		put_one(b, name, columns);
	}
}
