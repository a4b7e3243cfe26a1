/* SPDX-License-Identifier: MIT */
/*
 * telling-place: a name with the place where it differs from others, in its
 * order, so that it can be typed: file_per…sion, …process<int, l….
 */
#include <ctype.h>

#include "base/match/pattern.h"
#include "base/match/short-name.h"
#include "render/common/escape.h"
#include "render/common/fit-name.h"
#include "render/text/telling.h"

#define ELLIPSIS "…"

enum { LONGEST = 512 }; /* bytes; matching takes their square */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

void
cp_telling_put_base(struct cp_buf *b, const char *full, size_t columns)
{
	struct cp_buf brief;
	const char *end, *tail;

	cp_buf_init(&brief, SIZE_MAX / 2);
	cp_short_name(&brief, full);
	tail = cp_name_tail(cp_buf_text(&brief));
	end = strstr(tail, "<" ELLIPSIS ">");
	if (end == NULL || end == tail)
		end = strstr(tail, " (inlined)");
	if (end != NULL && end != tail)
		brief.data[end - brief.data] = '\0';
	cp_cut_middle(b, tail, columns);
	cp_buf_free(&brief);
}

bool
cp_telling_finds(const char *form, const char *full)
{
	struct cp_pattern p;
	bool fits;

	if (strlen(full) > LONGEST)
		return true;
	fits = cp_pattern_init(&p, form) == CP_OK &&
	       cp_pattern_fits_symbol(&p, full);
	cp_pattern_free(&p);
	return fits;
}

struct piece {
	size_t from, end;
};

static bool
is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Leaves out characters that would be cut in half. */
static struct piece
whole(const char *full, size_t from, size_t end)
{
	while (from < end && is_inside(full[from]))
		from++;
	while (end > from && is_inside(full[end]))
		end--;
	return (struct piece){ from, end };
}

/* Finds the function's own name without the content of brackets. */
static struct piece
find_own(const char *full, size_t len)
{
	struct piece own = { 0, len };
	struct cp_buf base;
	const char *s = full, *last = NULL;

	cp_buf_init(&base, SIZE_MAX / 2);
	cp_telling_put_base(&base, full, SIZE_MAX / 2);
	for (; base.len != 0 && (s = strstr(s, base.data)) != NULL;
	     s += base.len)
		last = s;
	if (last != NULL)
		own = (struct piece){ (size_t)(last - full),
			(size_t)(last - full) + base.len };
	cp_buf_free(&base);
	return own;
}

/* The bytes around the place where names differ, from a word's start on. */
static struct piece
find_window(const char *full, size_t len, size_t at, size_t room)
{
	size_t from = CP_MIN(at, len), least = from - CP_MIN(from, room / 2);

	while (from > least && is_word(full[from - 1]))
		from--;
	if (len - from < room)
		from = CP_MIN(from, len - CP_MIN(len, room));
	return whole(full, from, CP_MIN(len, from + room));
}

static void
put_pieces(struct cp_buf *b, const char *full, const struct piece *p, size_t n)
{
	size_t end = 0;

	for (size_t i = 0; i < n; i++) {
		size_t from = CP_MAX(p[i].from, end);

		if (from >= p[i].end)
			continue;
		if (from > end)
			cp_buf_str(b, ELLIPSIS);
		cp_buf_add(b, full + from, p[i].end - from);
		end = p[i].end;
	}
}

/* Writes the end of a name, and that it was inlined. */
static bool
put_inlined(struct cp_buf *b, const char *full, struct piece own, size_t room)
{
	size_t mark = strlen(CP_INLINED), n = own.end - own.from;
	struct cp_buf base;

	if (room < mark + 5 || full[own.end] == '\0')
		return false;
	cp_buf_init(&base, SIZE_MAX / 2);
	cp_buf_add(&base, full + own.from, n);
	if (n + 1 + mark <= room && own.from != 0)
		cp_buf_str(b, ELLIPSIS);
	cp_cut_middle(b, cp_buf_text(&base), room - mark);
	cp_buf_str(b, CP_INLINED);
	cp_buf_free(&base);
	return true;
}

/* No character has more columns than bytes: these are the measure. */
void
cp_telling_put_place(struct cp_buf *b, const struct cp_telling *t, size_t room)
{
	const char *inlined = strstr(t->full, CP_INLINED);
	size_t len =
	    inlined != NULL ? (size_t)(inlined - t->full) : strlen(t->full);
	struct piece own = find_own(t->full, len), window, p[3];
	size_t left = room > 8 ? room - 4 : room / 2, half;
	struct cp_buf form;

	if (inlined != NULL && t->differs >= len &&
	    put_inlined(b, t->full, own, room))
		return;
	half = CP_MAX(left / 2, left - CP_MIN(left, own.end - own.from));
	window = find_window(t->full, len, t->differs, half);
	half = (left - CP_MIN(left, window.end - window.from)) / 2;
	p[0] = whole(t->full, own.from, CP_MIN(own.end, own.from + half));
	p[1] =
	    whole(t->full, own.end - CP_MIN(own.end - own.from, half), own.end);
	if (own.end - own.from <= 2 * half + 1)
		p[0].end = own.end;
	p[2] = window;
	for (size_t i = 2; i > 0 && p[i].from < p[i - 1].from; i--) {
		p[i] = p[i - 1];
		p[i - 1] = window;
	}
	cp_buf_init(&form, SIZE_MAX / 2);
	put_pieces(&form, t->full, p, CP_ARRAY_LEN(p));
	if (!cp_telling_finds(cp_buf_text(&form), t->full))
		cp_buf_str(&form, ELLIPSIS);
	cp_buf_add(b, form.data,
	    cp_text_fit(cp_buf_text(&form), CP_MAX(room, (size_t)1)));
	cp_buf_free(&form);
}
